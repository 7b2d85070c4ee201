import { AppError } from "@canvass/errors";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { KnownPaths, Refusal } from "../known-routes/known-paths.ts";
import { isUploading } from "../body/uploads.ts";
import type { RefuseConnection } from "./refuse-connection.ts";

interface ClientError extends Error {
  code?: string;
  rawPacket?: unknown;
  bytesParsed?: number;
}

/** Responds to bytes that are not HTTP, headers that are too large, and requests that never end. */
export function clientErrorHandler(
  answer: RefuseConnection,
  knownPaths: Pick<KnownPaths, "refusal">,
): (error: ClientError, socket: Socket) => void {
  return (error, socket) => {
    // Uploads have a time limit of their own instead of Node's.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isUploading(socket)) return;
    if (error.code === "ECONNRESET") socket.destroy();
    else answer(socket, refusalOf(error, knownPaths));
  };
}

function refusalOf(error: ClientError, knownPaths: Pick<KnownPaths, "refusal">): Refusal {
  const { code } = error;
  if (code === "HPE_HEADER_OVERFLOW") return { error: new AppError("request_header_fields_too_large") };
  const target = code === "HPE_INVALID_METHOD" ? targetOf(error) : undefined;
  if (target !== undefined) return knownPaths.refusal(target);
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return { error: new AppError("request_timeout") };
  return { error: new AppError("invalid_request", {}, "This is not HTTP.") };
}

const requestLine = /^[\w!#$%&'*+.^`|~-]+ (\S+) HTTP\/1\.[01]\r?\n/;

/** Returns the target of a request line with a method unknown to Node. Undefined if it is not a request line. */
function targetOf({ rawPacket, bytesParsed = 0 }: ClientError): string | undefined {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString("latin1") : "";
  const lineStart = packet.lastIndexOf("\n", bytesParsed - 1) + 1;
  return requestLine.exec(packet.slice(lineStart))?.[1];
}

/** Refuses CONNECT, which Node emits separately from other requests. */
export function tunnelRefuser(
  answer: RefuseConnection,
  knownPaths: Pick<KnownPaths, "unknownMethod">,
): (request: IncomingMessage, socket: Duplex) => void {
  return (_request, socket) => {
    // Without a listener, an error of this socket would end the process.
    socket.on("error", () => socket.destroy());
    answer(socket, knownPaths.unknownMethod());
  };
}
