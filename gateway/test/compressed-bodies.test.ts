import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { someSurvey } from "./fake-services.ts";
import { startEdge, type Answer } from "./start-edge.ts";

const created: string[] = [];
const edge = await sharedByFile(
  startEdge({
    survey: {
      createSurvey: async ({ bodyJson }) => {
        created.push(bodyJson);
        return { survey: someSurvey() };
      },
    },
  }),
);

const json = '{"name":"Mittagessen, für alle"}';

function post(body: Uint8Array, coding: string): Promise<Answer> {
  const headers = { "content-type": "application/json", "content-encoding": coding };
  return edge.call("/surveys", { method: "POST", body: new Uint8Array(body), headers });
}

const refusal = ({ status, body }: Answer) => [status, body.error.code];

test.each([
  ["gzip", gzipSync],
  ["GZIP", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("a body may be compressed by %s, and its service gets what was meant", async (coding, compress) => {
  created.length = 0;
  expect((await post(compress(json), coding)).status).toBe(201);
  expect(created).toEqual([json]);
});

test.each([["zstd"], ["compress"], ["gzip, gzip"], ["__proto__"], ["identity, br"]])(
  "a coding that is not taken is 415 and says which are: %s",
  async (coding) => {
    const answer = await post(gzipSync(json), coding);
    expect(refusal(answer)).toEqual([415, "unsupported_media_type"]);
    expect(answer.headers.get("accept-encoding")).toBe("gzip, deflate, br, identity");
    expect(answer.body.error.details).toEqual({ "Content-Encoding": [expect.stringContaining("gzip, deflate, br")] });
  },
);

test.each([
  ["is not compressed", Buffer.from(json)],
  ["is cut off", gzipSync(json).subarray(0, -4)],
  ["is compressed otherwise", deflateSync(json)],
  ["has a wrong check sum", Buffer.concat([gzipSync(json).subarray(0, -8), Buffer.alloc(8)])],
])("a body that %s is 400", async (_, body) => {
  const answer = await post(body, "gzip");
  expect(refusal(answer)).toEqual([400, "invalid_request"]);
  expect(answer.body.error.details).toEqual({ body: [expect.stringContaining("Content-Encoding")] });
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])(
  "what %s makes larger than 1 MiB is 413 without being inflated to its end, and 1 MiB is read",
  async (coding, compress) => {
    const ofLength = (bytes: number) => compress(`{"name":"${"x".repeat(bytes - '{"name":""}'.length)}"}`);
    expect(refusal(await post(ofLength(1_048_577), coding))).toEqual([413, "payload_too_large"]);
    expect((await post(ofLength(1_048_576), coding)).status).toBe(201);
    // Its end is missing: inflated to there, it would be refused as broken.
    const bomb = compress(Buffer.alloc(10_000_000)).subarray(0, -4);
    expect(refusal(await post(bomb, coding))).toEqual([413, "payload_too_large"]);
  },
);
