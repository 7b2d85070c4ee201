import { expect, test } from "vitest";
import { startEdge } from "./start-edge.ts";

test.each([
  ["absent", undefined],
  ["empty", ""],
  ["null", "null"],
  ["an empty object", "{}"],
])("where a body is optional, one that is %s is taken", async (_name, body) => {
  const bodies: string[] = [];
  await using edge = await startEdge({
    survey: {
      publishSurvey: async ({ bodyJson }) => {
        bodies.push(bodyJson);
        return { versionId: "01h8x3k9q2m4a7zp", versionNumber: 1, publishedAt: { seconds: 1n, nanos: 0 }, etag: '"a"' };
      },
    },
  });
  const headers = { "if-match": "*", "content-type": "application/json" };
  const answer = await edge.call("/surveys/01h8x3k9q2m4a7zp/publish", {
    method: "POST",
    headers,
    ...(body !== undefined && { body }),
  });
  expect([answer.status, bodies]).toEqual([200, ["{}"]]);
});

test("null is no body if a body is required", async () => {
  await using edge = await startEdge({});
  const { status, body } = await edge.call("/surveys", { method: "POST", body: "null" });
  expect([status, body.error.details]).toEqual([400, { body: ["is required"] }]);
});
