import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEdge, type Edge } from "./start-edge.ts";

const times = { headersMs: 300, requestMs: 600, silentMs: 5_000, lingerMs: 300, checkMs: 50 };
let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({}, { connectionTimes: times });
});
afterAll(() => edge[Symbol.asyncDispose]());

/** Sends a text, then a byte every 20 ms. Resolves with the answer when the connection ends. */
function trickle(text: string, byte: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
    let received = "";
    socket.write(text);
    const timer = setInterval(() => byte && socket.write(byte), 20);
    socket.on("data", (bytes) => (received += bytes.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(timer);
      resolve(received);
    });
  });
}

test("senders that never finish are disconnected, and others are served meanwhile", async () => {
  const token = edge.services.issueToken(["full_access"]).value;
  const post = `POST /api/v1/surveys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const slow = [
    ["", ""],
    ["GET /api/v1/errors HTTP/1.1\r\nHost: x\r\nX-Slow: ", "a"],
    ["GET /api/v1/errors HTTP/1.1\r\nHost: x\r\n", "X: y\r\n"],
    [`${post}Content-Length: 100000\r\n\r\n{"name":"`, "a"],
    [`${post}Transfer-Encoding: chunked\r\n\r\n`, "1\r\na\r\n"],
  ].flatMap(([text, byte]) => Array.from({ length: 20 }, () => trickle(text!, byte!)));
  for (let calls = 0; calls < 20; calls += 1) expect((await edge.ask("/errors")).status).toBe(200);
  for (const received of await Promise.all(slow)) {
    expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(received).toContain("connection: close");
    expect(JSON.parse(received.slice(received.indexOf("\r\n\r\n")))).toMatchObject({
      success: false,
      error: { code: "request_timeout", message: "The request did not arrive in time.", retryable: true },
    });
  }
});
