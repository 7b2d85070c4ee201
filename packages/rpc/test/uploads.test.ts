import { AppError } from "@canvass/errors";
import { FileService, type UploadFileRequest } from "@canvass/proto/files";
import { createLogger, createMetrics } from "@canvass/telemetry";
import { createCallerVerifier } from "@canvass/access";
import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { bind, createRpcClient, startRpcServer, type Call } from "../src/index.ts";

type Handler = (requests: AsyncIterable<UploadFileRequest>, call: Call) => Promise<{ name: string }>;

async function startUploads(handle: Handler, options: { maxReceivedBytes?: number; maxTimeoutMs?: number } = {}) {
  await using starting = new AsyncDisposableStack();
  const server = starting.use(
    await startRpcServer({
      host: "127.0.0.1",
      port: 0,
      log: createLogger({ service: "test", level: "silent" }),
      metrics: createMetrics("test"),
      verifyCaller: createCallerVerifier(generateKeyPairSync("ed25519").publicKey, () => new Date()),
      peerKey: "peer",
      checks: {},
      drainMs: 100,
      ...options,
      routes: (router) => {
        const uploadFile = bind({}, (_: object, requests: AsyncIterable<UploadFileRequest>, call: Call) =>
          handle(requests, call),
        );
        router.service(FileService, { uploadFile });
      },
    }),
  );
  const client = starting.use(createRpcClient(FileService, { url: server.url, peerKey: "peer" }));
  const running = starting.move();
  return { client, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

const chunk = (bytes: number) => ({ part: { case: "piece" as const, value: new Uint8Array(bytes) } });

async function* chunks(count: number, bytes = 65_536, sent = () => undefined as void) {
  for (let index = 0; index < count; index += 1) {
    sent();
    yield chunk(bytes);
  }
}

async function countBytes(requests: AsyncIterable<UploadFileRequest>): Promise<number> {
  let bytes = 0;
  for await (const { part } of requests) if (part.case === "piece") bytes += part.value.length;
  return bytes;
}

test("a stream of requests arrives whole and gets one answer, even if larger than the server's limit for other bodies", async () => {
  const bounds = { maxReceivedBytes: 100_000 };
  await using uploads = await startUploads(async (requests) => ({ name: String(await countBytes(requests)) }), bounds);
  const { name } = await uploads.client.uploadFile(chunks(64));
  expect(name).toBe(String(64 * 65_536));
});

test("the client sends no more than the server reads", async () => {
  const mayRead = Promise.withResolvers<void>();
  let sent = 0;
  await using uploads = await startUploads(async (requests) => {
    await mayRead.promise;
    return { name: String(await countBytes(requests)) };
  });
  const stalled = Promise.withResolvers<void>();
  const answered = uploads.client.uploadFile(
    chunks(400, 65_536, () => {
      sent += 1;
      if (sent === 1) stalled.resolve();
    }),
  );
  await stalled.promise;
  // Gives the client 200 turns of the event loop to send more.
  for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
  expect(sent).toBeLessThan(200);
  mayRead.resolve();
  expect((await answered).name).toBe(String(400 * 65_536));
});

test("a refusal before the end arrives as it was thrown, and ends the stream", async () => {
  const ended = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (;;) {
        await new Promise(setImmediate);
        yield chunk(1_000);
      }
    } finally {
      ended.resolve();
    }
  }
  await using uploads = await startUploads(async (requests) => {
    for await (const _ of requests) throw new AppError("file_too_large", { max_bytes: 3 });
    return { name: "" };
  });
  await expect(uploads.client.uploadFile(endless())).rejects.toMatchObject({
    code: "file_too_large",
    details: { max_bytes: 3 },
  });
  await ended.promise;
});

test("a client whose stream fails gets its own error, and the handler gets nothing more", async () => {
  const [begun, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using uploads = await startUploads(async (requests) => {
    begun.resolve();
    // `finally`, because a cut stream may end without an error. Only a final message marks it complete.
    await countBytes(requests).finally(finished.resolve);
    return { name: "" };
  });
  async function* failing() {
    yield* chunks(2);
    await begun.promise;
    throw new AppError("request_timeout");
  }
  await expect(uploads.client.uploadFile(failing())).rejects.toMatchObject({ code: "request_timeout" });
  await finished.promise;
});
