import { request } from "node:http";
import { expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const path = `/response/surveys/${surveyId}/aggregation`;
const summary = { contentHash: "0123456789abcdef" };
const stats = (length: number) => [
  { questionId: "q", typeName: "matrix", distributionJson: `{"rows":"${"x".repeat(length)}"}` },
];

/** A gateway before a response service that streams that many chunks, and the state of the stream. */
async function startStreaming(chunks: number, fail?: Error) {
  const stream = { made: 0, ended: 0 };
  const edge = await startEdge({
    response: {
      async *streamAggregation() {
        try {
          yield { summary };
          for (; stream.made < chunks; stream.made++) yield { questionStats: stats(50_000) };
          if (fail) throw fail;
        } finally {
          stream.ended += 1;
        }
      },
    },
  });
  return { edge, stream };
}

test("a long answer arrives whole", async () => {
  const { edge, stream } = await startStreaming(200);
  await using _ = edge;
  const { status, body } = await edge.call(path);
  expect([status, body.success, body.data.questionStats.length]).toEqual([200, true, 200]);
  expect(body.meta.etag).toBe(`"${summary.contentHash}"`);
  expect(stream).toEqual({ made: 200, ended: 1 });
});

test("chunks are produced only when read; the stream ends when the reader disconnects or has the current version", async () => {
  const { edge, stream } = await startStreaming(10_000);
  await using _ = edge;
  const { value } = edge.services.issueToken(["responses:read"]);
  const asked = request(edge.baseUrl + path, { headers: { authorization: `Bearer ${value}` } });
  asked.on("error", () => undefined);
  const response = await new Promise((resolve) => asked.on("response", resolve).end());
  expect(response).toMatchObject({ statusCode: 200 });
  let before = -1;
  await expect.poll(() => before === (before = stream.made), { interval: 300 }).toBe(true);
  expect(stream.made).toBeLessThan(1_000);
  expect(stream.ended).toBe(0);
  asked.destroy();
  await expect.poll(() => stream.ended).toBe(1);

  const known = await edge.call(path, { headers: { "if-none-match": `"${summary.contentHash}"` } });
  expect(known.status).toBe(304);
  await expect.poll(() => stream.ended).toBe(2);
});

test("an answer that cannot be finished does not look finished", async () => {
  const { edge } = await startStreaming(20, new Error("the database is gone"));
  await using _ = edge;
  await expect(edge.call(path)).rejects.toThrow("terminated");
});
