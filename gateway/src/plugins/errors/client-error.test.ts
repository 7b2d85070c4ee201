import { PassThrough } from "node:stream";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { clientErrorHandler } from "./client-error.ts";

const handle = clientErrorHandler("https://example.org", () => new Date("2026-01-01T00:00:00Z"));
const errorWith = (code: string) => Object.assign(new Error(code), { code });

function answerTo(code: string, socket = new PassThrough()): string | null {
  handle(errorWith(code), socket as unknown as Socket);
  return socket.destroyed ? null : String(socket.read());
}

test("a request that does not arrive in time is told so, in an envelope with the standing headers", () => {
  const [head = "", body = ""] = answerTo("ERR_HTTP_REQUEST_TIMEOUT")!.split("\r\n\r\n");
  expect(head.split("\r\n")[0]).toBe("HTTP/1.1 400 Bad Request");
  for (const header of ["connection: close", "x-content-type-options: nosniff", "strict-transport-security:"]) {
    expect(head).toContain(header);
  }
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toMatchObject({ success: false, error: { message: "The request did not arrive in time." } });
});

test("a broken connection is not written to, nor one on which an answer is under way", () => {
  expect(answerTo("ECONNRESET")).toBeNull();
  expect(
    answerTo("HPE_INVALID_METHOD", Object.assign(new PassThrough(), { _httpMessage: { headersSent: true } })),
  ).toBeNull();
  expect(answerTo("HPE_INVALID_METHOD", Object.assign(new PassThrough(), { _httpMessage: null }))).toMatch(/^HTTP/);
});
