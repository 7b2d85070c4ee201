import { AppError } from "@canvass/errors";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { ConnectionTimes } from "../src/app.ts";
import type { GatewayConfig } from "../src/index.ts";
import type { ServedFile } from "../src/plugins/responses/file.ts";
import { surveyId } from "./fake-services.ts";
import { hasEnded, openUnread } from "./raw-readers.ts";
import { startEdge, type Edge } from "./start-edge.ts";
import { streamRoutes } from "./stream-routes.ts";

const rowsPath = `/test/rows/${surveyId}`;
const filePath = `/test/files/${surveyId}`;

const chunk = (id: string, length = 1) => ({
  questionStats: [{ questionId: id, distributionJson: "x".repeat(length) }],
});
type Chunk = ReturnType<typeof chunk>;

type ReaderConfig = Pick<GatewayConfig, "CANVASS_READER_IDLE_MS" | "CANVASS_READER_BYTES_PER_SECOND">;

interface Streaming {
  chunks?: (signal: AbortSignal) => AsyncGenerator<Chunk>;
  file?: Partial<ServedFile>;
  timeoutMs?: number;
  connectionTimes?: ConnectionTimes;
  reader?: Partial<ReaderConfig>;
}

/** A gateway with the test's routes before a response service that streams these chunks. */
function startStreaming({
  chunks = async function* () {},
  file,
  timeoutMs,
  reader,
  ...more
}: Streaming = {}): Promise<Edge> {
  return startEdge(
    {
      response: {
        streamAggregation: (_request, { signal }) => chunks(signal),
        getRespondent: async () => ({ respondent: { respondentId: "respondent000000", surveyId, status: "started" } }),
      },
    },
    {
      ...more,
      routes: streamRoutes(file),
      config: { ...reader, ...(timeoutMs && { CANVASS_REQUEST_TIMEOUT_MS: timeoutMs }) },
    },
  );
}

// oxlint-disable-next-line require-yield
async function* failingWith(error: Error): AsyncGenerator<Chunk> {
  throw error;
}

/** Sends a GET. Returns the head of its answer and reads no body yet. */
async function open(edge: Edge, path: string): Promise<IncomingMessage> {
  const { value } = edge.services.issueToken(["full_access"]);
  const request = get(edge.baseUrl + path, { headers: { authorization: `Bearer ${value}` }, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}

/** The received part of an answer, and whether it ended. */
async function readToCut(response: IncomingMessage): Promise<{ text: string; isWhole: boolean }> {
  let text = "";
  try {
    for await (const bytes of response) text += String(bytes);
  } catch {
    return { text, isWhole: false };
  }
  return { text, isWhole: response.complete };
}

const parsed = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("rows are lines of JSON in their order, without envelope", async () => {
  await using edge = await startStreaming({
    async *chunks() {
      for (let index = 0; index < 500; index++) yield chunk(String(index), 1000);
      yield { questionStats: [] };
    },
  });
  const { status, headers, text } = await edge.call(rowsPath);
  expect([status, headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
  expect(parsed(text).map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, index) => String(index)));
  const head = await edge.call(rowsPath, { method: "HEAD" });
  expect([head.status, head.headers.get("content-type"), head.text]).toEqual([200, "application/x-ndjson", ""]);
});

test("a token that is revoked reads no more of an answer that has begun", async () => {
  await using edge = await startEdge(
    {
      response: {
        async *streamAggregation(_request, { signal }) {
          for (let id = 0; !signal.aborted; id += 1) {
            yield chunk(String(id), 1_000);
            await setImmediate();
          }
        },
      },
      token: { revokeToken: async () => ({}) },
    },
    { routes: streamRoutes() },
  );
  const token = edge.services.issueToken(["full_access"]);
  const request = get(edge.baseUrl + rowsPath, { headers: { authorization: `Bearer ${token.value}` }, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  edge.services.revoke(token);
  expect((await edge.call(`/tokens/${token.tokenId}`, { method: "DELETE" })).status).toBe(200);
  const { text, isWhole } = await readToCut(response);
  expect(isWhole).toBe(false);
  expect(parsed(text).at(-1)).toMatchObject({ success: false, error: { code: "invalid_token" } });
});

test("no rows are an empty answer", async () => {
  await using edge = await startStreaming();
  expect(await edge.call(rowsPath)).toMatchObject({ status: 200, text: "" });
});

test.each([rowsPath, filePath])("what fails before the first chunk has its own status: %s", async (path) => {
  await using edge = await startStreaming({ chunks: () => failingWith(new AppError("survey_not_found")) });
  const { status, body, headers } = await edge.call(path);
  expect([status, body.error.code, headers.get("content-disposition")]).toEqual([404, "survey_not_found", null]);
});

test.each([
  ["an error of the catalogue", () => new AppError("survey_not_found"), "survey_not_found"],
  ["a defect", () => new Error("secret"), "internal_error"],
])(
  "%s after the first row is the last line, also for a slow reader, and the end never comes",
  async (_, error, code) => {
    await using edge = await startStreaming({
      async *chunks() {
        for (let index = 0; index < 8; index++) yield chunk("row", 10_000);
        throw error();
      },
    });
    const { value } = edge.services.issueToken(["full_access"]);
    const head = [`GET /api/v1${rowsPath} HTTP/1.1`, "Host: x", `Authorization: Bearer ${value}`, "X-Request-Id: slow"];
    const socket = await openUnread(edge, `${head.join("\r\n")}\r\n\r\n`);
    // Begins to read when the gateway has cut the answer.
    await expect.poll(() => hasEnded(socket)).toBe(true);
    const received = (await socket.toArray()).join("");
    const lines = parsed(
      received
        .split(/\r?\n/)
        .filter((line) => line.startsWith("{"))
        .join("\n"),
    );
    expect(lines).toHaveLength(9);
    expect(lines[8]).toMatchObject({ success: false, error: { code }, meta: { requestId: "slow" } });
    expect(received).not.toContain("\r\n0\r\n");
    expect(received).not.toContain("secret");
  },
);

test("a callee that dies in the middle is service_unavailable", async () => {
  await using edge = await startStreaming({
    async *chunks(signal) {
      yield chunk("row");
      await once(signal, "abort");
    },
  });
  const response = await open(edge, rowsPath);
  await edge.services.stop("response");
  const { text, isWhole } = await readToCut(response);
  expect(parsed(text)).toMatchObject([{ id: "row" }, { error: { code: "service_unavailable" } }]);
  expect(isWhole).toBe(false);
});

test("every chunk has a deadline once it is asked for", async () => {
  let first = false;
  await using edge = await startStreaming({
    timeoutMs: 300,
    async *chunks(signal) {
      if (first) yield chunk("row");
      await once(signal, "abort");
    },
  });
  expect(await edge.call(rowsPath)).toMatchObject({ status: 504, body: { error: { code: "deadline_exceeded" } } });
  first = true;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const response = await open(edge, rowsPath).finally(() => {
    vi.advanceTimersByTime(300);
    vi.useRealTimers();
  });
  const { text, isWhole } = await readToCut(response);
  expect(parsed(text)).toMatchObject([{ id: "row" }, { error: { code: "deadline_exceeded" } }]);
  expect(isWhole).toBe(false);
});

test("a workspace has at most eight streams at once; stalled ones delay no other calls, and those of disconnected readers are released", async () => {
  let [made, ended] = [0, 0];
  await using edge = await startStreaming({
    async *chunks() {
      try {
        for (; ; made += 1) yield chunk("row", 100_000);
      } finally {
        ended += 1;
      }
    },
  });
  const stalled = await Promise.all(Array.from({ length: 8 }, (_, n) => open(edge, n % 2 ? rowsPath : filePath)));
  const refused = await edge.call(rowsPath);
  expect(refused).toMatchObject({
    status: 429,
    body: { error: { code: "rate_limited", details: { concurrent_streams: 8 } } },
  });
  expect(refused.headers.get("retry-after")).toBe("1");
  // Until all buffers are full, a busy machine works for the streams.
  let before = -1;
  await expect.poll(() => before === (before = made), { interval: 300 }).toBe(true);
  // Of 100 KB each: no more than the buffers hold.
  expect(made).toBeLessThan(2_000);
  expect((await edge.call(`/response/surveys/${surveyId}/respondents/respondent000000`)).status).toBe(200);
  expect(ended).toBe(0);
  for (const response of stalled) response.on("error", () => undefined).destroy();
  await expect.poll(() => ended).toBe(8);
  const again = await open(edge, rowsPath);
  expect(again.statusCode).toBe(200);
  again.destroy();
});

test("a reader that stops reading loses its stream", async () => {
  let ended = 0;
  const chunks = async function* () {
    try {
      for (;;) yield chunk("row", 100_000);
    } finally {
      ended += 1;
    }
  };
  const times = { headersMs: 15_000, requestMs: 30_000, unresponsiveMs: 700, lingerMs: 2_000, checkMs: 5_000 };
  await using edge = await startStreaming({ chunks, connectionTimes: times });
  const response = await open(edge, rowsPath);
  expect(response.statusCode).toBe(200);
  response.on("error", () => undefined);
  await expect.poll(() => ended).toBe(1);
});

/** A stream without end that tells how many of its readers it has lost. */
function endless() {
  const lost = { readers: 0 };
  const chunks = async function* (): AsyncGenerator<Chunk> {
    try {
      for (;;) yield chunk("row", 100_000);
    } finally {
      lost.readers += 1;
    }
  };
  return { lost, chunks };
}

const aggregationPath = `/response/surveys/${surveyId}/aggregation`;

test.each([rowsPath, filePath, aggregationPath])(
  "whoever takes nothing loses the answer and its place long before the connection ends: %s",
  async (path) => {
    const { lost, chunks } = endless();
    const summary = { contentHash: "0123456789abcdef", completionTrend: [] };
    const withSummary = async function* () {
      if (path === aggregationPath) yield { summary, questionStats: [] } as never;
      yield* chunks();
    };
    await using edge = await startStreaming({ chunks: withSummary, reader: { CANVASS_READER_IDLE_MS: 300 } });
    const stalled = await Promise.all(Array.from({ length: 8 }, () => open(edge, path)));
    for (const response of stalled) response.on("error", () => undefined);
    await expect.poll(() => lost.readers).toBe(8);
    const again = await open(edge, path);
    expect(again.statusCode).toBe(200);
    again.destroy();
  },
);

test("a reader that takes a byte now and then is disconnected like one that takes nothing", async () => {
  const { lost, chunks } = endless();
  await using edge = await startStreaming({ chunks, reader: { CANVASS_READER_IDLE_MS: 300 } });
  const response = await open(edge, rowsPath);
  let received = 0;
  response.on("error", () => undefined);
  const reading = setInterval(() => (received += (response.read(1) as Buffer | null)?.length ?? 0), 5);
  await expect.poll(() => lost.readers).toBe(1);
  clearInterval(reading);
  expect(received).toBeGreaterThan(0);
});

test("a file has its type, name and length, and nothing of it runs", async () => {
  const name = 'Müller\'s "Q1" €.csv';
  await using edge = await startStreaming({
    file: { name, size: 6, etag: '"v1"' },
    async *chunks() {
      yield chunk("a", 2);
      yield chunk("b", 4);
    },
  });
  const { status, text, headers } = await edge.call(filePath);
  expect([status, text]).toEqual([200, "xxxxxx"]);
  const shown = {
    "content-type": "text/csv; charset=utf-8",
    "content-length": "6",
    "content-disposition": `attachment; filename="M?ller's \\"Q1\\" ?.csv"; filename*=UTF-8''M%C3%BCller%27s%20%22Q1%22%20%E2%82%AC.csv`,
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
    etag: '"v1"',
  };
  expect(Object.fromEntries(headers)).toMatchObject(shown);
  const head = await edge.call(filePath, { method: "HEAD" });
  expect(Object.fromEntries(head.headers)).toMatchObject(shown);
  expect((await edge.call(filePath, { headers: { "if-none-match": '"v1"' } })).status).toBe(304);
});

test("a file with a name that no header can carry is sent under one near to it", async () => {
  await using edge = await startStreaming({ file: { name: `../\ud83d${"a".repeat(300)}.csv` } });
  const { status, headers } = await edge.call(filePath);
  const name = `.._%EF%BF%BD${"a".repeat(245)}.csv`;
  expect([status, headers.get("content-disposition")]).toEqual([200, expect.stringMatching(/^attachment; /)]);
  expect(headers.get("content-disposition")).toContain(`filename*=UTF-8''${name}`);
});

test.each([
  ["longer", 5],
  ["shorter", 7],
])("a file that is %s than was told does not look whole", async (_, size) => {
  await using edge = await startStreaming({
    file: { size },
    async *chunks() {
      yield chunk("a", 3);
      yield chunk("b", 3);
    },
  });
  expect((await readToCut(await open(edge, filePath))).isWhole).toBe(false);
});

test("a file that fails in its middle is cut, with nothing behind it", async () => {
  await using edge = await startStreaming({
    async *chunks() {
      yield chunk("a", 3);
      throw new AppError("service_unavailable");
    },
  });
  expect(await readToCut(await open(edge, filePath))).toEqual({ text: "xxx", isWhole: false });
});

/** Ten bytes, each its place. */
const tenBytes: Partial<ServedFile> = {
  size: 10,
  etag: '"v1"',
  async *open(_options, asked) {
    yield Buffer.from("0123456789").subarray(asked?.start, asked && asked.end + 1);
  },
};
const withTenBytes = await sharedByFile(startStreaming({ file: tenBytes }));

test.each([
  ["bytes=2-4", {}, 206, "bytes 2-4/10", "234"],
  ["bytes=-3", {}, 206, "bytes 7-9/10", "789"],
  ["bytes=8-99", {}, 206, "bytes 8-9/10", "89"],
  ["bytes=4-", { "if-range": '"v1"' }, 206, "bytes 4-9/10", "456789"],
  ["bytes=4-", { "if-range": '"v0"' }, 200, null, "0123456789"],
  ["bytes=0-1,4-5", {}, 200, null, "0123456789"],
  ["bytes=0-1,99-", {}, 206, "bytes 0-1/10", "01"],
  ["bytes=-99", {}, 206, "bytes 0-9/10", "0123456789"],
  ["BYTES=9-9", {}, 206, "bytes 9-9/10", "9"],
  ["bytes=10-", { "if-range": '"v0"' }, 200, null, "0123456789"],
  ["bytes=10-", { "if-range": 'W/"v1"' }, 200, null, "0123456789"],
  ["bytes=5-2", {}, 200, null, "0123456789"],
  ["bytes=a-b", {}, 200, null, "0123456789"],
  ["bytes=", {}, 200, null, "0123456789"],
  ["lines=1-2", {}, 200, null, "0123456789"],
])("the range %s with %o is answered %i, %s", async (range, more, status, contentRange, text) => {
  const answer = await withTenBytes.call(filePath, { headers: { range, ...more } });
  expect([answer.status, answer.headers.get("content-range"), answer.text]).toEqual([status, contentRange, text]);
  expect(answer.headers.get("content-length")).toBe(String(text.length));
});

test.each(["bytes=10-", "bytes=10-20,30-", "bytes=-0"])("no byte is in %s: 416 with the size", async (range) => {
  const answer = await withTenBytes.call(filePath, { headers: { range } });
  expect(answer).toMatchObject({
    status: 416,
    body: { error: { code: "range_not_satisfiable", details: { size: 10 } } },
  });
  expect(answer.headers.get("content-range")).toBe("bytes */10");
  expect(answer.headers.get("content-disposition")).toBeNull();
  const head = await withTenBytes.call(filePath, { method: "HEAD", headers: { range } });
  expect([head.status, head.headers.get("content-length"), head.headers.get("content-range")]).toEqual([
    200,
    "10",
    null,
  ]);
});

test("the OpenAPI document describes rows and files by the routes' own declaration", async () => {
  await using edge = await startStreaming();
  const { text: source, body } = await edge.call("/openapi.json", { token: null });
  // openapi.test.ts looks at the paths.
  const rules = {
    "no-ambiguous-paths": "off",
    "operation-4xx-response": "off",
    // An operation's errors narrow the envelope by a second schema.
    "no-invalid-media-type-examples": { severity: "warn", allowAdditionalProperties: true },
    "no-unused-components": "off",
    "no-server-example.com": "off",
  } as const;
  const findings = await lintFromString({ source, config: await createConfig({ extends: ["recommended"], rules }) });
  expect(findings.map(({ message, location }) => `${message} ${location[0]?.pointer}`)).toEqual([]);
  const rows = body.paths["/api/v1/test/rows/{surveyId}"].get.responses;
  expect(rows["200"].content["application/x-ndjson"].schema).toEqual({ $ref: "#/components/schemas/TestRow" });
  expect(rows["default"].content).toHaveProperty(["application/json"]);
  const file = body.paths["/api/v1/test/files/{surveyId}"].get.responses;
  expect(Object.keys(file)).toEqual(expect.arrayContaining(["200", "206", "304"]));
  expect(file["200"].content).toEqual({ "text/csv": { schema: { type: "string", format: "binary" } } });
  expect(file["200"].headers).toHaveProperty(["Content-Disposition"]);
  expect(file["206"].headers).toHaveProperty(["Content-Range"]);
});

test("a reader that leaves while nothing comes for it gives its place back", async () => {
  let ended = 0;
  await using edge = await startStreaming({
    async *chunks(signal) {
      yield chunk("row");
      if (!signal.aborted) await once(signal, "abort");
      ended += 1;
    },
  });
  const response = await open(edge, rowsPath);
  response.on("error", () => undefined).destroy();
  await expect.poll(() => ended).toBe(1);
});

test("a reader that leaves before it is authenticated keeps no place", async () => {
  const [asked, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let ended = 0;
  let opened = 0;
  const gate = { isClosed: false };
  await using edge = await startEdge(
    {
      beforeAuthentication: async () => {
        if (!gate.isClosed) return;
        asked.resolve();
        await isOver.promise;
      },
      response: {
        async *streamAggregation(_request, { signal }) {
          opened += 1;
          try {
            yield chunk("a");
            if (!signal.aborted) await once(signal, "abort");
          } finally {
            ended += 1;
          }
        },
      },
    },
    { routes: streamRoutes() },
  );
  const { value } = edge.services.issueToken(["full_access"]);
  gate.isClosed = true;
  const request = get(edge.baseUrl + rowsPath, { headers: { authorization: `Bearer ${value}` }, agent: false });
  request.on("error", () => undefined);
  await asked.promise;
  request.destroy();
  await once(request, "close").catch(() => undefined);
  // Once the gateway has answered a later request, it has seen the reader leave.
  await fetch(`${edge.url}/api/v1/health`);
  gate.isClosed = false;
  isOver.resolve();
  const places = await Promise.all(Array.from({ length: 8 }, () => open(edge, rowsPath)));
  expect(places.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
  for (const place of places) place.destroy();
  await expect.poll(() => ended).toBe(opened);
});
