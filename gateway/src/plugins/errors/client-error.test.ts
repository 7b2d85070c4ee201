import { AppError } from "@canvass/errors";
import { EventEmitter } from "node:events";
import { duplexPair } from "node:stream";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { clientErrorHandler } from "./client-error.ts";
import { serveInOrder } from "../connection-hooks/pipelines.ts";
import { connectionRefuser } from "./refuse-connection.ts";

const now = () => new Date("2026-01-01T00:00:00Z");
const refusal = () => ({ error: new AppError("method_not_allowed"), allow: "GET" });
const handle = clientErrorHandler(connectionRefuser("https://example.org", now, { lingerMs: 1, lingerBytes: 1 }), {
  refusal,
});
const errorWith = (code: string) => Object.assign(new Error(code), { code });

/** Returns the response on a connection with these requests; null if it was destroyed. */
function answerTo(error: Error, ...requests: { complete: boolean; headersSent: boolean; answered?: boolean }[]) {
  const [ours, clients] = duplexPair();
  for (const { complete, headersSent, answered } of requests) {
    const response = Object.assign(new EventEmitter(), { headersSent });
    serveInOrder({ socket: ours, complete } as never, response as never, () => undefined);
    if (answered) response.emit("close");
  }
  handle(error, ours as unknown as Socket);
  return ours.destroyed ? null : (clients.read() as Buffer | null)?.toString();
}

test("a request that arrives too slowly gets an envelope with the headers of every answer", () => {
  const [head = "", body = ""] = answerTo(errorWith("ERR_HTTP_REQUEST_TIMEOUT"))!.split("\r\n\r\n");
  expect(head.split("\r\n")[0]).toBe("HTTP/1.1 408 Request Timeout");
  for (const header of ["connection: close", "x-content-type-options: nosniff", "strict-transport-security:"]) {
    expect(head).toContain(header);
  }
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: "request_timeout", retryable: true } });
});

test("a broken connection gets no response, nor one with a response incomplete or due; others do", () => {
  const error = errorWith("HPE_INVALID_VERSION");
  expect(answerTo(errorWith("ECONNRESET"))).toBeNull();
  expect(answerTo(error, { headersSent: true, complete: false })).toBeUndefined();
  expect(answerTo(error, { headersSent: false, complete: true })).toBeUndefined();
  expect(answerTo(error, { headersSent: true, complete: false, answered: true })).toBeUndefined();
  expect(answerTo(error, { headersSent: false, complete: false })).toMatch(/^HTTP/);
  expect(answerTo(error, { headersSent: true, complete: true, answered: true })).toMatch(/^HTTP/);
  expect(answerTo(error)).toMatch(/^HTTP/);
});

test.each([
  ["FOO / HTTP/1.1\r\n", 1, 405],
  ["GET / HTTP/1.1\r\n\r\nGEX / HTTP/1.1\r\n", 20, 405],
  ["get / HTTP/1.1\r\n", 0, 405],
  ["FOO / HTTP/2.0\r\n", 1, 400],
  ["FOO / HTTP/1.1", 1, 400],
  ["HELLO THERE\r\n\r\n", 2, 400],
  ["abcGEX / HTTP/1.1\r\n", 5, 405],
  ["{}GEX / HTTP/1.1\r\n", 4, 400],
  ["", 0, 400],
])("an unknown method is 405, and what is not HTTP is 400: %j", (packet, bytesParsed, status) => {
  const error = Object.assign(errorWith("HPE_INVALID_METHOD"), { rawPacket: Buffer.from(packet), bytesParsed });
  const answer = answerTo(error)!;
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.includes("allow: GET\r\n")).toBe(status === 405);
});
