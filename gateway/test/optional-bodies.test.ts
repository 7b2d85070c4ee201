import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { startEdge } from "./start-edge.ts";

const surveyId = "01h8x3k9q2m4a7zp";
let calls: string[] = [];
beforeEach(() => {
  calls = [];
});

const edge = await sharedByFile(
  startEdge({
    survey: {
      publishSurvey: async ({ bodyJson }) => {
        calls.push(bodyJson);
        return { versionId: surveyId, versionNumber: 1, publishedAt: { seconds: 1n, nanos: 0 }, etag: '"a"' };
      },
      deleteElement: async () => {
        calls.push("deleted");
        return {};
      },
    },
  }),
);

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const chunks = (...texts: string[]) => ({ body: new Blob(texts).stream(), duplex: "half" as const });

test.each<[string, RequestInit]>([
  ["absent", { headers: json }],
  ["empty", { headers: json, body: "" }],
  ["empty, of another media type", { headers: form, body: "" }],
  ["empty and chunked, of another media type", { headers: form, ...chunks() }],
  ["empty and chunked, without media type", chunks()],
  ["null", { headers: json, body: "null" }],
  ["an empty object", { headers: json, body: "{}" }],
])("where a body is optional, one that is %s is taken", async (_name, init) => {
  const headers = { ...(init.headers as Record<string, string>), "if-match": "*" };
  const answer = await edge.call(`/surveys/${surveyId}/publish`, { method: "POST", ...init, headers });
  expect([answer.status, calls]).toEqual([200, ["{}"]]);
});

test.each<[string, RequestInit]>([
  ["absent", { headers: json }],
  ["empty", { headers: json, body: "" }],
  ["empty, of another media type", { headers: form, body: "" }],
  ["null", { headers: json, body: "null" }],
  ["an empty object", { headers: json, body: "{}" }],
])("where no body is taken, one that is %s is none", async (_name, init) => {
  const answer = await edge.call(`/elements/${surveyId}`, { method: "DELETE", ...init });
  expect([answer.status, calls]).toEqual([200, ["deleted"]]);
});

test.each<[string, RequestInit]>([
  ["of known length", { body: " " }],
  ["chunked", chunks(" ")],
])("a body of another media type with a single byte is refused: %s", async (_name, init) => {
  const answer = await edge.call(`/elements/${surveyId}`, { method: "DELETE", headers: form, ...init });
  expect([answer.status, answer.body.error.details]).toEqual([415, { "Content-Type": ["must be application/json"] }]);
  expect(calls).toEqual([]);
});

test("an empty body of another media type and null are no body if a body is required", async () => {
  for (const init of [
    { headers: form, body: "" },
    { headers: json, body: "null" },
  ]) {
    const { status, body } = await edge.call("/surveys", { method: "POST", ...init });
    expect([status, body.error.details]).toEqual([400, { body: ["is required"] }]);
  }
});
