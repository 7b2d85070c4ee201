import { createLogger } from "@canvass/telemetry";
import { waitFor } from "@canvass/testing";
import { connect } from "node:net";
import { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge, type Edge } from "./start-edge.ts";
import { streamRoutes } from "./stream-routes.ts";

type Line = Record<string, unknown>;

let edge: Edge;
let lines: Line[] = [];
/** Requests that reached a service. */
let arrived = 0;
/** Tokens that were asked for. */
let asked = 0;
/** Streams of a service. */
let opened = 0;
let ended = 0;
let held = Promise.withResolvers<void>();

beforeAll(async () => {
  const destination = new Writable({
    write: (chunk, _, done) => {
      for (const line of String(chunk).split("\n").filter(Boolean)) lines.push(JSON.parse(line) as Line);
      done();
    },
  });
  const log = createLogger({ service: "gateway", level: "debug", pretty: false, destination });
  const wait = async () => {
    arrived += 1;
    await held.promise;
    return {};
  };
  edge = await startEdge(
    {
      beforeAuthentication: async () => void (asked += 1),
      survey: { batchGetSurveys: wait, createSurvey: wait },
      links: { batchGetLinks: async () => (await wait(), { links: [{ found: false }], leaseMs: 50 }) },
      files: {
        uploadFile: async (requests) => {
          for await (const _ of requests) arrived += 1;
          return {};
        },
      },
      response: {
        async *streamAggregation() {
          opened += 1;
          try {
            yield { summary: { contentHash: "0123456789abcdef", completionTrend: [] } };
            for (;;) {
              arrived += 1;
              yield { questionStats: [{ questionId: "q", distributionJson: "x".repeat(10_000) }] };
              await setImmediate();
            }
          } finally {
            ended += 1;
          }
        },
      },
    },
    { log, config: { CANVASS_REQUEST_LOG: "all" }, routes: streamRoutes() },
  );
});
afterAll(() => edge[Symbol.asyncDispose]());
beforeEach(() => {
  lines = [];
  arrived = 0;
  asked = 0;
  held = Promise.withResolvers();
});

const head = (request: string, ...headers: string[]) => {
  const { value } = edge.services.issueToken(["full_access"]);
  return [`${request} HTTP/1.1`, "Host: x", `Authorization: Bearer ${value}`, ...headers, "", ""].join("\r\n");
};
const json = ["Content-Type: application/json", "Content-Length: 1000"];
const multipart = ["Content-Type: multipart/form-data; boundary=b", "Content-Length: 100000"];
const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n${"x".repeat(20_000)}`;
const upload = field("surveyId", surveyId) + field("elementId", "01h8x3k9q2w7d1ej") + file;

/** Sends bytes and leaves once `has` is true: by a reset, or by ending its side. */
async function leaveAfter(bytes: Buffer[], how: "resets" | "ends", has: () => boolean): Promise<void> {
  const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
  socket.on("error", () => undefined).on("data", () => undefined);
  for (const chunk of bytes) await new Promise<void>((resolve) => socket.write(chunk, () => resolve()));
  await waitFor(has, { describe: "the request to be under way" });
  // A later request is answered after the gateway has read what arrived before.
  await edge.call("/errors");
  if (how === "resets") socket.resetAndDestroy();
  else socket.destroy();
}

describe.each(["resets", "ends"] as const)("a visitor that %s its connection", (how) => {
  test.each<[string, () => (string | Buffer)[], () => boolean]>([
    ["in its body", () => [head("POST /api/v1/surveys", ...json), `{"name":`], () => asked > 0],
    [
      "in a compressed body",
      () => [
        head("POST /api/v1/surveys", "Content-Type: application/json", "Content-Encoding: gzip", "Content-Length: 99"),
        gzipSync(`{"name":"${"x".repeat(50)}"}`).subarray(0, 20),
      ],
      () => asked > 0,
    ],
    [
      "in a chunk",
      () => [head("POST /api/v1/surveys", "Content-Type: application/json", "Transfer-Encoding: chunked"), "ff\r\n{"],
      () => asked > 0,
    ],
    ["in its file", () => [head("POST /api/v1/files", ...multipart), upload], () => arrived > 1],
    ["while a service works for it", () => [head(`GET /api/v1/surveys/${surveyId}`)], () => arrived > 0],
    ["while its page is made", () => [head("GET /s/Ab3dEf6hIj9kLm2nOp5qRs")], () => arrived > 0],
    [
      "in its rows",
      () => [head(`GET /api/v1/test/rows/${surveyId}`, "Accept: application/x-ndjson")],
      () => arrived > 20,
    ],
    ["in its answer", () => [head(`GET /api/v1/response/surveys/${surveyId}/aggregation`)], () => arrived > 20],
    ["in its download", () => [head(`GET /api/v1/test/files/${surveyId}`)], () => arrived > 20],
  ])("%s writes no error line", async (_where, bytes, has) => {
    await leaveAfter(
      bytes().map((chunk) => Buffer.from(chunk)),
      how,
      has,
    );
    held.resolve();
    // Later requests are answered after the gateway has noticed that the visitor left.
    for (let later = 0; later < 2; later += 1) await edge.call(`/surveys/${surveyId}`);
    await waitFor(() => ended === opened, { describe: "the streams to end" });
    expect(lines.filter(({ level }) => level === "error" || level === "fatal")).toEqual([]);
  });
});
