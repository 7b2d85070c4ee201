import { create } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { ImportSchema, type CreateImportRequest } from "@canvass/proto/distribution-contacts";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEdge, type Edge } from "./start-edge.ts";

const times = { headersMs: 1_500, requestMs: 2_000, unresponsiveMs: 5_000, lingerMs: 300, checkMs: 50 };
let edge: Edge;
let created = 0;
const imported: number[] = [];
const csvHeaders = { headers: { "content-type": "text/csv" } };
beforeAll(async () => {
  const createSurvey = () => {
    created += 1;
    throw new Error("no survey is created here");
  };
  const createImport = async ({ source }: CreateImportRequest) => {
    imported.push((source.value as Uint8Array).length);
    return {
      import: create(ImportSchema, { importId: "import0000000000", status: "queued", createdAt: timestampNow() }),
    };
  };
  const config = { CANVASS_REQUEST_TIMEOUT_MS: 1_000 };
  edge = await startEdge({ survey: { createSurvey }, contact: { createImport } }, { config, connectionTimes: times });
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

const post = (path = "/surveys", type = "application/json") =>
  `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${edge.services.issueToken(["full_access"]).value}\r\nContent-Type: ${type}\r\n`;

test("senders that never finish are disconnected, while others are served", async () => {
  const slow = [
    ["", ""],
    ["GET /api/v1/errors HTTP/1.1\r\nHost: x\r\nX-Slow: ", "a"],
    ["GET /api/v1/errors HTTP/1.1\r\nHost: x\r\n", "X: y\r\n"],
    [`${post()}Content-Length: 100000\r\n\r\n{"name":"`, "a"],
    [`${post()}Transfer-Encoding: chunked\r\n\r\n`, "1\r\na\r\n"],
  ].flatMap(([text, byte]) => Array.from({ length: 20 }, () => trickle(text!, byte!)));
  for (let calls = 0; calls < 20; calls += 1) expect((await edge.call("/errors")).status).toBe(200);
  for (const received of await Promise.all(slow)) {
    expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(received).toContain("connection: close");
    expect(JSON.parse(received.slice(received.indexOf("\r\n\r\n")))).toMatchObject({
      success: false,
      error: { code: "request_timeout", message: "The request did not arrive in time.", retryable: true },
    });
  }
});

test("a large body may take longer while it keeps coming, and its service has all its time then", async () => {
  const rest = `a@b.c,${"x".repeat(1_000)}\n`.repeat(1_000);
  async function* slowly() {
    yield Buffer.from(`email,firstName\n${rest}`);
    // A body that began later is refused as too slow, and the deadline of a request is over.
    expect(await trickle(`${post()}Content-Length: 100000\r\n\r\n`, "a")).toMatch(/^HTTP\/1\.1 408 /);
    yield Buffer.from(rest);
  }
  const sent = { method: "POST", body: ReadableStream.from(slowly()), duplex: "half" };
  const { status } = await edge.call("/contacts/imports/csv", { ...sent, ...csvHeaders } as RequestInit);
  expect([status, imported]).toEqual([202, [16 + 2 * rest.length]]);
});

test("a sender of a large body that is too slow gets the same 408, and its place is free again", async () => {
  const sendSlowly = () => trickle(`${post("/contacts/imports/csv", "text/csv")}Content-Length: 100000\r\n\r\n`, "a");
  const isCut = (received: string) => received.startsWith("HTTP/1.1 408 ");
  // On a slow machine the first may be cut before the fifth begins: then all again.
  let received: string[];
  do received = await Promise.all(Array.from({ length: 5 }, sendSlowly));
  while (received.every(isCut));
  const [refused, ...more] = received.filter((each) => !isCut(each));
  expect(more).toEqual([]);
  expect(JSON.parse(refused!.slice(refused!.indexOf("\r\n\r\n")))).toMatchObject({
    error: { code: "rate_limited", details: { concurrent_files: 4 } },
  });
  const send = () => edge.call("/contacts/imports/csv", { method: "POST", body: "email\na@b.c", ...csvHeaders });
  await expect.poll(async () => (await send()).status).toBe(202);
});

test("a body whose rest comes behind its 408 is not served, and its sender is cut", async () => {
  const port = Number(new URL(edge.url).port);
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => undefined);
  const closed = new Promise((resolve) => socket.on("close", resolve));
  let received = "";
  socket.on("data", (bytes) => (received += bytes.toString()));
  socket.write(`${post()}Content-Length: 12\r\n\r\n{"name":`);
  await once(socket, "end");
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
  socket.write('"a"}');
  const dripping = setInterval(() => socket.write(" "), 20);
  await closed;
  clearInterval(dripping);
  expect(created).toBe(0);
});
