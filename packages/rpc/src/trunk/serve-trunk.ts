import { Code, ConnectError, type ContextValues } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { constants, type ServerHttp2Stream } from "node:http2";
import { maxConcurrentStreams } from "../message-limits.ts";
import type { UnaryAnswerOptions } from "../unary/answer-unary.ts";
import { runUnary, type RunningUnary } from "../unary/run-unary.ts";
import type { UnaryMethod } from "../unary/unary-methods.ts";
import { frameKinds, frameOf, frameReader, trunkType, type CallHead, type Frame, type Metadata } from "./frames.ts";
import { sendInPieces } from "./send-in-pieces.ts";

/** Of answers that the client does not read. */
const mostUnsentBytes = 16 * 1024 * 1024;

/**
 * Answers calls that share a stream: a stream of its own costs a lone call 0.1 ms in both processes together. Every call
 * proves itself as others do. The stream ends when the client has ended its side and all its calls are answered.
 */
export function serveTrunk(
  stream: ServerHttp2Stream,
  methods: ReadonlyMap<string, UnaryMethod>,
  options: UnaryAnswerOptions,
): void {
  const running = new Map<number, RunningUnary | undefined>();
  /** Methods that have not ended: a call that its client gave up keeps its place as long as its method runs. */
  let places = 0;
  let ending = false;

  async function answer(frame: Frame): Promise<void> {
    const { call } = frame;
    running.set(call, undefined);
    try {
      if (places >= maxConcurrentStreams) throw new ConnectError("too many calls", Code.ResourceExhausted);
      const begun = begin(frame, methods, options.contextValues(stream), options);
      places += 1;
      void begun.ended.then(() => (places -= 1));
      running.set(call, begun);
      const { message, header } = await begun.answer;
      const wanted = () => running.has(call) && !stream.destroyed;
      if (wanted())
        await sendInPieces(stream, call, message, header && Object.fromEntries(header), options.unread, wanted);
    } catch (failure) {
      const trailers = setTrailerStatus(new Headers(), ConnectError.from(failure, Code.Internal));
      if (running.has(call) && !stream.destroyed) {
        stream.write(frameOf(call, frameKinds.failure, Object.fromEntries(trailers)));
      }
    }
    forget(call);
    if (stream.writableLength > mostUnsentBytes) stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  function forget(call: number): void {
    running.delete(call);
    if (ending && running.size === 0) stream.end();
  }

  const read = frameReader((frame) => {
    if (frame.kind === frameKinds.call) {
      // A second call would take the first one's place, and so count as none.
      if (running.has(frame.call)) throw new Error("the call is under way");
      void answer(frame);
    } else if (frame.kind === frameKinds.cancel) {
      running.get(frame.call)?.leave();
      forget(frame.call);
    }
  });
  // Large answers wait for "drain".
  stream.setMaxListeners(0);
  stream.on("error", () => undefined);
  stream.on("data", (bytes: Buffer) => {
    try {
      read(bytes);
    } catch {
      stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    }
  });
  stream.on("end", () => {
    ending = true;
    if (running.size === 0) stream.end();
  });
  stream.on("close", () => {
    for (const call of running.values()) call?.leave();
    running.clear();
  });
  stream.respond({ ":status": 200, "content-type": trunkType });
}

function begin(
  { head, body }: Frame,
  methods: ReadonlyMap<string, UnaryMethod>,
  values: ContextValues,
  { gate, maxTimeoutMs }: Pick<UnaryAnswerOptions, "gate" | "maxTimeoutMs">,
): RunningUnary {
  const { path, timeoutMs, header } = head as Partial<CallHead>;
  const method = methods.get(path ?? "");
  if (!method) throw new ConnectError("there is no such method here", Code.Unimplemented);
  if (timeoutMs === undefined || !(timeoutMs >= 0 && timeoutMs <= maxTimeoutMs)) {
    throw new ConnectError(`a deadline is at most ${maxTimeoutMs} ms away`, Code.InvalidArgument);
  }
  if (!isMetadata(header)) throw new ConnectError("the metadata is no text by name", Code.InvalidArgument);
  gate(method.method, (name) => header[name] ?? null, values);
  return runUnary(method, body, header, values, timeoutMs);
}

function isMetadata(header: unknown): header is Metadata {
  return (
    typeof header === "object" && header !== null && Object.values(header).every((each) => typeof each === "string")
  );
}
