import { fastify } from "fastify";
import { expect, test } from "vitest";
import { gunzipSync } from "node:zlib";
import { holdDocument, takesGzip } from "./held-document.ts";

test.each([
  ["gzip", true],
  ["gzip, deflate, br", true],
  ["br;q=1.0, GZIP;q=0.8", true],
  ["deflate ,gzip ; q=0.001", true],
  ["gzip;q=0", false],
  ["br, gzip;q=0.000", false],
  ["xgzip", false],
  ["identity", false],
  ["", false],
  [undefined, false],
])("Accept-Encoding %j takes gzip: %s", (codings, takes) => {
  expect(takesGzip(codings)).toBe(takes);
});

test("all callers get the same bytes, each coding has its own tag, and a known tag gets a 304", async () => {
  const text = "a text ".repeat(1000);
  const document = holdDocument(text);
  const bodies: unknown[] = [];
  const app = fastify();
  app.addHook("onSend", (_request, _reply, payload, done) => {
    bodies.push(payload);
    done();
  });
  app.get("/", (_request, reply) => reply.header("vary", "Origin").send(document(reply)));
  const call = (headers: Record<string, string> = {}) => app.inject({ url: "/", headers });
  const takeGzip = { "accept-encoding": "gzip" };

  const plain = await call();
  await expect.poll(async () => (await call(takeGzip)).headers["content-encoding"]).toBe("gzip");
  const compressed = await call(takeGzip);
  expect(plain.body).toBe(text);
  expect(String(gunzipSync(compressed.rawPayload))).toBe(text);
  expect(compressed.headers.vary).toBe("Origin, Accept-Encoding");
  expect(compressed.headers.etag).not.toBe(plain.headers.etag);
  for (const { headers } of [plain, compressed]) {
    const again = await call({ ...takeGzip, "if-none-match": headers.etag! });
    expect(again).toMatchObject({ statusCode: 304, body: "", headers: { etag: headers.etag } });
  }
  await call();
  expect(bodies[0]).toBeInstanceOf(Buffer);
  expect(bodies.at(-1)).toBe(bodies[0]);
});
