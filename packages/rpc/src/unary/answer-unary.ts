import { Code, ConnectError, type ContextValues } from "@connectrpc/connect";
import { parseTimeout, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AccessGate } from "../access-gate.ts";
import { maxMessageBytes } from "../message-limits.ts";
import type { RequestBodies } from "../request-bodies.ts";
import type { UnreadResponses } from "../unread-responses.ts";
import { frameOf, readOnlyMessage } from "./message-frame.ts";
import { runUnary } from "./run-unary.ts";
import type { UnaryMethod } from "./unary-methods.ts";

export interface UnaryAnswerOptions {
  unread: UnreadResponses;
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
  method: UnaryMethod,
  options: UnaryAnswerOptions,
): Promise<void> {
  // A reset is told by "close".
  stream.on("error", () => undefined);
  try {
    const { timeoutMs, error } = parseTimeout((headers["grpc-timeout"] as string) ?? null, options.maxTimeoutMs);
    if (error) throw error;
    const values = options.contextValues(stream);
    options.gate(method.method, (name) => (headers[name] as string | undefined) ?? null, values);
    const begun = performance.now();
    // A body that never comes would be waited for, and what came of it held, as long as the connection lasts.
    const bytes = await readOnlyMessage(stream, maxMessageBytes, timeoutMs ?? options.maxTimeoutMs, options.bodies);
    const leftMs = timeoutMs && Math.max(timeoutMs - (performance.now() - begun), 0);
    const running = runUnary(method, bytes, headers, values, leftMs);
    stream.once("close", running.leave);
    const { message, header } = await running.answer;
    if (stream.destroyed) return;
    stream.off("close", running.leave);
    sendMessage(stream, message, header, options.unread);
  } catch (failure) {
    sendFailure(stream, ConnectError.from(failure, Code.Internal));
  }
}

function sendMessage(
  stream: ServerHttp2Stream,
  message: Uint8Array,
  header: Headers | undefined,
  unread: UnreadResponses,
): void {
  const release = unread.reserve(stream, message.length);
  stream.once("wantTrailers", () => stream.sendTrailers(succeeded));
  stream.respond({ ...ok, ...(header && Object.fromEntries(header)) }, { waitForTrailers: true });
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
