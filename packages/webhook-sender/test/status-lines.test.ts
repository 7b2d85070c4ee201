import { testCertificates } from "@canvass/testing/certificates";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import tls, { createServer, type TLSSocket, type TlsOptions } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { createWebhookSender, type SendResult } from "../src/index.ts";

const { ca, key, cert } = await testCertificates(["127.0.0.1"]);

/** Sends a message to a receiver that answers so, and returns the result. */
async function sendTo(
  answer: (socket: TLSSocket) => void,
  budgetMs = 10_000,
  options: TlsOptions = {},
): Promise<SendResult> {
  const sockets = new Set<TLSSocket>();
  const server = createServer({ key, cert, ...options }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  await using _end = {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await using sender = createWebhookSender({ allowedCidrs: ["127.0.0.0/8"], extraCa: ca, budgetMs });
  const { port } = server.address() as AddressInfo;
  return await sender.send({
    url: `https://127.0.0.1:${port}/`,
    webhookId: "e",
    timestamp: 1,
    body: "{}",
    secrets: [],
  });
}

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const interim = "HTTP/1.1 100 Continue\r\n\r\n";

test.each([
  ["at once", interim + ok],
  ["twice", interim + interim + ok],
  ["with headers", `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok}`],
])("an interim answer that nobody asked for precedes the final one: %s", async (_how, text) => {
  expect(await sendTo((socket) => socket.end(text))).toMatchObject({ outcome: "success", responseBody: "ok" });
});

test("an interim answer may come alone first", async () => {
  const sent = await sendTo((socket) => socket.write(interim, () => setImmediate(() => socket.end(ok))));
  expect(sent).toMatchObject({ outcome: "success", statusCode: 200, responseBody: "ok" });
});

test("an interim answer alone is no answer", async () => {
  expect(await sendTo((socket) => socket.write(interim), 300)).toMatchObject({ outcome: "no_response" });
  const cut = await sendTo((socket) => socket.end(interim));
  expect(cut).toMatchObject({ outcome: "connection_error", reason: "bad_http" });
});

test("a response that switches protocols is invalid", async () => {
  const sent = await sendTo((socket) => socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"));
  expect(sent).toMatchObject({ outcome: "connection_error", reason: "bad_http" });
});

test.each([
  ["the length twice, equal", "Content-Length: 2\r\nContent-Length: 2\r\n\r\nok"],
  ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\nok"],
  ["a header that is none", "no header\r\n\r\n"],
  ["more than 64 KiB of headers", `X-Long: ${"x".repeat(70_000)}\r\n\r\n`],
  ["a body that breaks off", "Content-Length: 200\r\n\r\nok"],
])("the status line decides, whatever follows it: %s", async (_what, rest) => {
  expect(await sendTo((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))).toMatchObject({
    outcome: "success",
    statusCode: 200,
  });
  expect(await sendTo((socket) => socket.end(`HTTP/1.1 410 Gone\r\n${rest}`))).toMatchObject({ outcome: "gone" });
});

test("the status line decides, however slowly headers follow", async () => {
  const sent = await sendTo((socket) => socket.write("HTTP/1.1 204 No Content\r\nX-Slow: "), 300);
  expect(sent).toMatchObject({ outcome: "success", statusCode: 204 });
});

test("a status line that does not end within 64 KiB is none", async () => {
  const sent = await sendTo((socket) => socket.write(`HTTP/1.1 200 ${"x".repeat(100_000)}`));
  expect(sent).toMatchObject({ outcome: "connection_error", reason: "bad_http" });
});

/** Writes `count` bytes, each in a TLS record of its own, unless the sender hangs up before. Returns how many it wrote. */
async function drip(socket: TLSSocket, count: number): Promise<number> {
  let written = 0;
  while (written < count && !socket.destroyed) {
    await new Promise<void>((resolve) => void socket.write("x", () => resolve()));
    written += 1;
  }
  return written;
}

test("a status line that does not end within 1,024 chunks is none", async () => {
  const sent = await sendTo((socket) => {
    socket.write("HTTP/1.1 200 ");
    void drip(socket, 2000).then(() => socket.end("\r\nContent-Length: 0\r\n\r\n"));
  });
  expect(sent).toMatchObject({ outcome: "connection_error", reason: "bad_http" });
});

test.each(["X-Long: ", "Content-Length: 60000\r\n\r\n"])(
  "what comes byte by byte behind the status line is read no further than 1,024 chunks: %j",
  async (rest) => {
    const written = Promise.withResolvers<number>();
    const sent = await sendTo((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${rest}`);
      written.resolve(drip(socket, 30_000));
    });
    expect(sent).toMatchObject({ outcome: "success", statusCode: 200 });
    expect(await written.promise).toBeLessThan(30_000);
  },
);

test("a receiver that renegotiates TLS again and again is hung up on", async () => {
  const { CLIENT_RENEG_LIMIT } = tls;
  // Node's server counts the renegotiations that it asks for itself, too.
  Object.assign(tls, { CLIENT_RENEG_LIMIT: 1000 });
  onTestFinished(() => void Object.assign(tls, { CLIENT_RENEG_LIMIT }));
  let renegotiations = 0;
  const renegotiate = (socket: TLSSocket): void => {
    if (socket.destroyed) return;
    if (renegotiations === 100) return void socket.end();
    socket.renegotiate({}, () => {
      renegotiations += 1;
      setImmediate(renegotiate, socket);
    });
  };
  const begin = (socket: TLSSocket): void => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
    renegotiate(socket);
  };
  const sent = await sendTo(begin, 10_000, { maxVersion: "TLSv1.2" });
  expect(sent).toMatchObject({ outcome: "success", statusCode: 200 });
  expect(renegotiations).toBeLessThan(100);
});
