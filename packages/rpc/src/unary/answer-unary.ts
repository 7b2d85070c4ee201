import { fromBinary, toBinary, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type ContextValues } from "@connectrpc/connect";
import { parseTimeout, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AccessGate } from "../access-gate.ts";
import { maxMessageBytes } from "../message-limits.ts";
import type { RequestBodies } from "../request-bodies.ts";
import type { UnreadAnswers } from "../unread-answers.ts";
import { frameOf, readOnlyMessage } from "./message-frame.ts";
import { UnaryCall } from "./unary-call.ts";
import type { UnaryMethod } from "./unary-methods.ts";

export interface UnaryAnswerOptions {
  unread: UnreadAnswers;
  bodies: RequestBodies;
  gate: AccessGate;
  contextValues: (stream: ServerHttp2Stream) => ContextValues;
  maxTimeoutMs: number;
}

const ok = { ":status": 200, "content-type": "application/grpc+proto" } as const;
/** For the rest of a refused message. */
const lingerMs = 1000;
const succeeded = { "grpc-status": "0" };

/** Answers one call; every failure goes to the client. */
export async function answerUnary(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  { method, run }: UnaryMethod,
  options: UnaryAnswerOptions,
): Promise<void> {
  // A reset is told by "close".
  stream.on("error", () => undefined);
  try {
    const { timeoutMs, error } = parseTimeout((headers["grpc-timeout"] as string) ?? null, options.maxTimeoutMs);
    if (error) throw error;
    const values = options.contextValues(stream);
    options.gate(method, (name) => (headers[name] as string | undefined) ?? null, values);
    const begun = performance.now();
    // A body that never comes would be waited for, and what came of it held, as long as the connection lasts.
    const bytes = await readOnlyMessage(stream, maxMessageBytes, timeoutMs ?? options.maxTimeoutMs, options.bodies);
    const message = parsed(method, bytes);
    const leftMs = timeoutMs && Math.max(timeoutMs - (performance.now() - begun), 0);
    const call = new UnaryCall(method, message, headers, values, leftMs);
    const { message: answer, header } = await inTime(run(call), call, stream, leftMs);
    if (stream.destroyed) return;
    sendMessage(stream, toBinary(method.output, answer as Message), header, options.unread);
  } catch (failure) {
    sendFailure(stream, ConnectError.from(failure, Code.Internal));
  }
}

function parsed(method: UnaryMethod["method"], bytes: Uint8Array): Message {
  try {
    return fromBinary(method.input, bytes);
  } catch {
    throw new ConnectError("the message is no protocol buffer of its type", Code.InvalidArgument);
  }
}

/** Waits for the answer until the deadline, whether or not the implementation heeds its signal. */
async function inTime<Answer>(
  answer: Promise<Answer>,
  call: UnaryCall,
  stream: ServerHttp2Stream,
  timeoutMs: number | undefined,
): Promise<Answer> {
  const left = () => call.abort(Code.Canceled);
  stream.once("close", left);
  let timer: NodeJS.Timeout | undefined;
  try {
    if (timeoutMs === undefined) return await answer;
    return await new Promise<Answer>((resolve, reject) => {
      timer = setTimeout(() => {
        call.abort(Code.DeadlineExceeded);
        reject(new ConnectError("the deadline has passed", Code.DeadlineExceeded));
      }, timeoutMs);
      answer.then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    stream.off("close", left);
  }
}

function sendMessage(stream: ServerHttp2Stream, message: Uint8Array, header: Headers, unread: UnreadAnswers): void {
  if (message.length > maxMessageBytes) {
    throw new ConnectError(`a message holds at most ${maxMessageBytes} bytes`, Code.ResourceExhausted);
  }
  const release = unread.reserve(stream, message.length);
  stream.once("wantTrailers", () => stream.sendTrailers(succeeded));
  stream.respond({ ...ok, ...Object.fromEntries(header) }, { waitForTrailers: true });
  stream.end(frameOf(message), release);
}

/** Sends headers before the trailers, as Connect does: clients would retry what they get as trailers alone (gRFC A6). */
function sendFailure(stream: ServerHttp2Stream, error: ConnectError): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  const trailers = setTrailerStatus(new Headers(), error);
  stream.once("wantTrailers", () => stream.sendTrailers(Object.fromEntries(trailers)));
  stream.respond(ok, { waitForTrailers: true });
  stream.end();
  // What the client still sends is discarded, and not for ever (RFC 9113, 8.1). A reset at once would overtake the trailers.
  stream.resume();
  const late = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), lingerMs).unref();
  stream.once("close", () => clearTimeout(late));
}
