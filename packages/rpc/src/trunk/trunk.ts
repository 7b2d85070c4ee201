import { Code, ConnectError } from "@connectrpc/connect";
import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { maxConcurrentStreams, maxMessageBytes } from "../message-limits.ts";
import {
  frameKinds,
  frameOf,
  frameReader,
  pieceBytes,
  trunkPath,
  trunkType,
  type Frame,
  type Metadata,
} from "./frames.ts";
import { keepAlive } from "./keep-alive.ts";

export interface TrunkCall {
  path: string;
  header: Metadata;
  message: Uint8Array;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

export interface TrunkAnswer {
  message: Buffer;
  header: Metadata;
}

/** The trunk ended before the answer: whether the call was begun is unknown. */
export class TrunkBroken extends Error {}

/** The callee's refusal, as trailers. */
export class Refusal extends Error {
  readonly trailers: Metadata;
  constructor(trailers: Metadata) {
    super("the callee refused the call");
    this.trailers = trailers;
  }
}

/** A stream that carries many calls (`serveTrunk`). */
export interface Trunk {
  /** Whether it takes calls: it is open, what was sent is being read, and not too many calls are under way. */
  readonly free: boolean;
  /** Resolves when it has opened or failed. */
  readonly settled: Promise<void>;
  /** Rejects with a ConnectError, TrunkBroken or Refusal. */
  call(call: TrunkCall): Promise<TrunkAnswer>;
  /** Takes no more calls; those under way may end. */
  leave(): void;
}

interface Waiting {
  pieces: Buffer[];
  bytes: number;
  resolve: (answer: TrunkAnswer) => void;
  reject: (error: Error) => void;
}

const mostUnsentBytes = 1024 * 1024;
const lateMs = 1_000;
/** To open, and to close. */
const handshakeMs = 5_000;

/** `onEnd` is called once, when it takes no more calls: its server goes, its connection broke, or an answer was late. */
export function openTrunk(session: ClientHttp2Session, onEnd: () => void): Trunk {
  const waiting = new Map<number, Waiting>();
  let state: "opening" | "open" | "left" = "opening";
  let lastCall = 0;
  const settled = Promise.withResolvers<void>();
  const stream: ClientHttp2Stream = session.request({
    ":method": "POST",
    ":path": trunkPath,
    "content-type": trunkType,
  });
  const alive = keepAlive(session, () => waiting.size > 0);

  setTimeout(() => state === "opening" && broken(), handshakeMs).unref();

  function leave(): void {
    if (state === "left") return;
    state = "left";
    onEnd();
    settled.resolve();
    endWhenIdle();
  }

  function endWhenIdle(): void {
    if (state !== "left" || waiting.size > 0 || stream.writableEnded || stream.destroyed) return;
    stream.end();
    session.close();
    setTimeout(() => session.destroy(), handshakeMs).unref();
  }

  function broken(): void {
    leave();
    alive.stop();
    session.destroy();
    for (const { reject } of waiting.values()) reject(new TrunkBroken("the connection broke off"));
    waiting.clear();
  }

  function take({ call, kind, head, body }: Frame): void {
    const one = waiting.get(call);
    if (!one) return;
    if (kind === frameKinds.failure) one.reject(new Refusal(head as Metadata));
    else if (kind === frameKinds.answer) {
      one.resolve({ message: one.bytes === 0 ? body : Buffer.concat([...one.pieces, body]), header: head as Metadata });
    } else if (kind === frameKinds.piece) {
      one.bytes += body.length;
      one.pieces.push(body);
      if (one.bytes > maxMessageBytes) throw new Error("the answer is larger than a message");
    }
  }

  const read = frameReader(take);
  stream.on("response", ({ ":status": status, "content-type": type }) => {
    if (status !== 200 || type !== trunkType) broken();
    else if (state === "opening") state = "open";
    settled.resolve();
  });
  stream.on("data", (bytes: Buffer) => {
    alive.heard();
    try {
      read(bytes);
    } catch {
      broken();
    }
  });
  stream.on("error", () => undefined).on("close", broken);
  session.on("error", broken).on("goaway", leave).on("close", broken);

  return {
    settled: settled.promise,
    get free() {
      return state === "open" && waiting.size < maxConcurrentStreams && stream.writableLength < mostUnsentBytes;
    },
    async call({ path, header, message, timeoutMs, signal }) {
      const call = (lastCall = (lastCall + 1) >>> 0);
      const cancel = (code: Code.Canceled | Code.DeadlineExceeded) => {
        if (!waiting.has(call)) return;
        if (!stream.destroyed) stream.write(frameOf(call, frameKinds.cancel, undefined));
        waiting.get(call)!.reject(new ConnectError("nobody waits for the answer any more", code));
      };
      const left = () => cancel(Code.Canceled);
      const late = () => {
        // Other calls would wait as well, if it is the connection.
        if (timeoutMs >= lateMs) leave();
        cancel(Code.DeadlineExceeded);
      };
      const timer = setTimeout(late, timeoutMs);
      signal?.addEventListener("abort", left);
      try {
        return await new Promise<TrunkAnswer>((resolve, reject) => {
          waiting.set(call, { pieces: [], bytes: 0, resolve, reject });
          stream.write(frameOf(call, frameKinds.call, { path, timeoutMs, header }, message));
          alive.asked();
          if (signal?.aborted) left();
        });
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", left);
        waiting.delete(call);
        endWhenIdle();
      }
    },
    leave,
  };
}

/** Whether a call is small enough to leave no other waiting. */
export function fitsTrunk(message: Uint8Array, header: Metadata): boolean {
  let bytes = message.length;
  for (const name in header) bytes += name.length + header[name]!.length;
  return bytes <= pieceBytes / 2;
}
