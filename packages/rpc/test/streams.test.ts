import { fromBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createCallerVerifier, newCaller, signCaller } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { ResponseService, StreamAggregationRequestSchema } from "@canvass/proto/response";
import { createLogger, createMetrics } from "@canvass/telemetry";
import { generateKeyPairSync } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { constants, createServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { bindStream, callOptions, createRpcClient, startRpcServer, type Call } from "../src/index.ts";

const keys = generateKeyPairSync("ed25519");
const signedCaller = signCaller(
  newCaller({ workspaceId: "w1", expiresAt: timestampFromDate(new Date("2100-01-01")) }),
  keys.privateKey,
);
const options = (more: { timeoutMs?: number; signal?: AbortSignal } = {}) => callOptions({ signedCaller, ...more });

type Chunk = { questionStats?: { questionId: string; distributionJson: string }[] };

/** Refuses the first streams, as a stopping server does. Answers the others with an empty stream (Connect protocol). */
async function startRefusingServer(refusals: number) {
  const opened: string[] = [];
  async function answer(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const body = await buffer(request);
    opened.push(fromBinary(StreamAggregationRequestSchema, body.subarray(envelopeBytes)).surveyId);
    response.setHeader("content-type", "application/connect+proto");
    if (opened.length <= refusals) response.stream.close(constants.NGHTTP2_REFUSED_STREAM);
    else response.end(Buffer.concat([Buffer.from([2, 0, 0, 0, 2]), Buffer.from("{}")]));
  }
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, opened, [Symbol.asyncDispose]: async () => void server.close() };
}

/** Flags and length of a message, before it. */
const envelopeBytes = 5;

/** A server that streams what the generator gives, and a client of it. */
async function startStream(chunks: (call: Call) => AsyncGenerator<Chunk>, maxUnreadBytes?: number) {
  let text = "";
  const destination = new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) });
  await using starting = new AsyncDisposableStack();
  const server = starting.use(
    await startRpcServer({
      host: "127.0.0.1",
      port: 0,
      log: createLogger({ service: "test", pretty: false, destination }),
      metrics: createMetrics("test"),
      verifyCaller: createCallerVerifier(keys.publicKey, () => new Date()),
      peerKey: "peer",
      checks: {},
      drainMs: 100,
      ...(maxUnreadBytes && { maxUnreadBytes }),
      recognizeError: (error) =>
        error instanceof Error && error.message === "no database" ? new AppError("service_unavailable") : undefined,
      routes: (router) => {
        const streamAggregation = bindStream({}, (_context: object, _request: unknown, call: Call) => chunks(call));
        router.service(ResponseService, { streamAggregation });
      },
    }),
  );
  const client = starting.use(createRpcClient(ResponseService, { url: server.url }));
  const running = starting.move();
  return {
    /** What the server logged. */
    log: () => text,
    read: (given = options()) => client.streamAggregation({ surveyId: "s" }, given),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const chunk = (questionId: string, length = 1): Chunk => ({
  questionStats: [{ questionId, distributionJson: "x".repeat(length) }],
});

async function readAll(stream: AsyncIterable<{ questionStats: { questionId: string }[] }>): Promise<string[]> {
  const ids: string[] = [];
  try {
    for await (const { questionStats } of stream) ids.push(...questionStats.map(({ questionId }) => questionId));
  } catch (error) {
    ids.push(error instanceof AppError ? error.code : String(error));
  }
  return ids;
}

test("chunks arrive in order and the caller is known", async () => {
  await using server = await startStream(async function* ({ caller }) {
    yield chunk(caller.workspaceId);
    for (let index = 0; index < 100; index++) yield chunk(String(index), 50_000);
  });
  expect(await readAll(server.read())).toEqual(["w1", ...Array.from({ length: 100 }, (_, index) => String(index))]);
  expect(await readAll(server.read({}))).toEqual(["unauthorized"]);
});

test("chunks that arrive together leave turns of the event loop to others, however long their reader takes for each", async () => {
  const count = 50;
  await using server = await startStream(async function* () {
    for (let index = 0; index < count; index++) yield chunk(String(index));
  });
  let turn = 0;
  let next = setImmediate(function count() {
    turn += 1;
    next = setImmediate(count);
  });
  const turns = new Set<number>();
  for await (const _ of server.read()) {
    turns.add(turn);
    for (const begun = performance.now(); performance.now() - begun < 6;);
  }
  clearImmediate(next);
  expect(turns.size).toBe(count);
});

test.each([
  ["an error of the catalogue", () => new AppError("survey_not_found"), "survey_not_found"],
  ["a recognized one", () => new Error("no database"), "service_unavailable"],
  ["a defect", () => new Error("secret"), "internal_error"],
])("%s arrives typed, at once and in the middle", async (_what, error, code) => {
  let before: Chunk[] = [];
  await using server = await startStream(async function* () {
    yield* before;
    throw error();
  });
  expect(await readAll(server.read())).toEqual([code]);
  before = [chunk("a"), chunk("b")];
  expect(await readAll(server.read())).toEqual(["a", "b", code]);
});

test("a stream that reads is opened again where its connection fails before the first chunk", async () => {
  await using server = await startRefusingServer(2);
  await using client = createRpcClient(ResponseService, { url: server.url });
  expect(await readAll(client.streamAggregation({ surveyId: "s" }, options()))).toEqual([]);
  expect(server.opened).toEqual(["s", "s", "s"]);
});

test("a stream without a chunk is an empty one", async () => {
  await using server = await startStream(async function* () {});
  expect(await readAll(server.read())).toEqual([]);
});

test("the first chunk has a deadline, the others have none", async () => {
  const gate = Promise.withResolvers<void>();
  let waitsFirst = true;
  await using server = await startStream(async function* () {
    if (waitsFirst) await gate.promise;
    yield chunk("a");
    await gate.promise;
    yield chunk("b");
  });
  waitsFirst = false;
  const timeoutMs = 2_000;
  const stream = server.read(options({ timeoutMs }))[Symbol.asyncIterator]();
  await stream.next();
  const second = stream.next();
  // A stream that began later misses its deadline, so the first one's has passed, too.
  waitsFirst = true;
  expect(await readAll(server.read(options({ timeoutMs })))).toEqual(["deadline_exceeded"]);
  gate.resolve();
  expect((await second).value?.questionStats[0]?.questionId).toBe("b");
});

test("chunks are produced only when read, and a reader that disconnects ends the stream", async () => {
  let made = 0;
  const ended = Promise.withResolvers<void>();
  await using server = await startStream(async function* () {
    try {
      for (; made < 10_000; made++) yield chunk(String(made), 100_000);
    } finally {
      ended.resolve();
    }
  });
  const leave = new AbortController();
  const stream = server.read(options({ signal: leave.signal }))[Symbol.asyncIterator]();
  await stream.next();
  let before = -1;
  await expect.poll(() => before === (before = made), { interval: 200 }).toBe(true);
  expect(made).toBeLessThan(100);
  leave.abort();
  await ended.promise;

  made = 0;
  for await (const _ of server.read()) break;
  expect(made).toBeLessThan(100);
});

test("large chunks count as unread only until they are sent", async () => {
  const mebi = 1024 * 1024;
  await using server = await startStream(async function* () {
    for (let index = 0; index < 20; index++) yield chunk(String(index), mebi);
  }, 4 * mebi);
  expect(await readAll(server.read())).toHaveLength(20);
});

test("a reader that leaves while a chunk is made is no failure of the stream", async () => {
  const ended = Promise.withResolvers<void>();
  let isLate = false;
  await using server = await startStream(async function* ({ signal }) {
    try {
      yield chunk("a");
      if (isLate) return;
      await once(signal, "abort");
      for (let index = 0; index < 100; index++) yield chunk(String(index), 100_000);
    } finally {
      ended.resolve();
    }
  });
  const left = new AbortController();
  const stream = server.read(options({ signal: left.signal }))[Symbol.asyncIterator]();
  await stream.next();
  left.abort();
  await ended.promise;
  // When a second stream is answered, the server has handled the end of the first.
  isLate = true;
  expect(await readAll(server.read())).toEqual(["a"]);
  expect(server.log()).toBe("");
});

test("a stream holds a permit of its workspace until its first chunk, and releases it also when its reader has left", async () => {
  const gate = Promise.withResolvers<void>();
  let [begun, ended] = [0, 0];
  await using server = await startStream(async function* () {
    try {
      begun += 1;
      await gate.promise;
      yield chunk("a");
      yield chunk("b");
    } finally {
      ended += 1;
    }
  });
  const left = new AbortController();
  const streams = [options({ signal: left.signal }), options(), options(), options()].map((given) =>
    readAll(server.read(given)),
  );
  await expect.poll(() => begun).toBe(2);
  left.abort();
  gate.resolve();
  expect(await Promise.all(streams)).toEqual([["service_unavailable"], ["a", "b"], ["a", "b"], ["a", "b"]]);
  await expect.poll(() => [begun, ended]).toEqual([4, 4]);
});

test("work that stops because its reader left is no defect", async () => {
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using stream = await startStream(async function* ({ signal }) {
    begun.resolve();
    yield chunk("a");
    // Rejects with an AbortError.
    await once(new EventEmitter(), "never", { signal }).finally(over.resolve);
  });
  const leaving = new AbortController();
  const read = readAll(stream.read(options({ signal: leaving.signal }))).catch(() => undefined);
  await begun.promise;
  leaving.abort();
  await read;
  await over.promise;
  // A later stream is answered after the failure of the first is logged.
  await stream.read()[Symbol.asyncIterator]().next();
  expect(stream.log()).not.toContain('"level":"error"');
});
