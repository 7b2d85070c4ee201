import { AppError, errorCatalogue, type ErrorCode } from "@canvass/errors";
import { randomUUID } from "node:crypto";
import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { standingHeaders } from "../preamble.ts";
import { errorAnswer } from "./error-answer.ts";

/** Answers what is not even a request: bytes that are no HTTP, headers that are too large, one that never ends. */
export function clientErrorHandler(publicUrl: string, now: () => Date): (error: Error, socket: Socket) => void {
  return (error, socket) => {
    const { code = "" } = error as { code?: string };
    // A connection that broke, or one on which an answer is under way, takes no other answer.
    if (code === "ECONNRESET" || !socket.writable || isAnswering(socket)) socket.destroy();
    else socket.end(rawAnswer(toAppError(code), standingHeaders(publicUrl), now()));
  };
}

/** Whether part of an answer has been sent; Node keeps the answer under way at the socket. */
function isAnswering(socket: Socket): boolean {
  const { _httpMessage: underWay } = socket as { _httpMessage?: ServerResponse | null };
  return underWay?.headersSent ?? false;
}

function toAppError(code: string): AppError {
  if (code === "HPE_HEADER_OVERFLOW") return new AppError("request_header_fields_too_large");
  const message = code === "ERR_HTTP_REQUEST_TIMEOUT" ? "The request did not arrive in time." : "This is not HTTP.";
  return new AppError("invalid_request", {}, message);
}

function rawAnswer(error: AppError, standing: Record<string, string>, at: Date): string {
  const requestId = randomUUID();
  const body = JSON.stringify(errorAnswer(error, requestId, at));
  const headers = {
    ...standing,
    "x-request-id": requestId,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${statusLine(error.code)}\r\n${lines.join("")}\r\n${body}`;
}

function statusLine(code: ErrorCode): string {
  const { status } = errorCatalogue[code];
  return `${status} ${STATUS_CODES[status]}`;
}
