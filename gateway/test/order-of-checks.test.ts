import { newTokenValue } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const key = "key-1";

/**
 * A PATCH with every violation at once. Each step mends the violation of the last answer; the next answer must be the next in
 * the order of contract 1.7, as far as the edge judges.
 */
test("the edge's checks come in the order of contract 1.7", async () => {
  let reached = 0;
  await using edge = await startEdge(
    {
      survey: {
        updateSurvey: async ({ surveyId: id }) => {
          reached += 1;
          if (id !== surveyId) throw new AppError("survey_not_found");
          return { survey: { surveyId, etag: '"1"' } };
        },
      },
    },
    { config: { CANVASS_RATE_LIMIT_WRITES: 100 } },
  );
  const reader = edge.services.issueToken(["surveys:read"]);
  const scoped = edge.services.issueToken(["surveys:write"], { allowed: ["surveys:read"] });
  const writer = edge.services.issueToken(["surveys:write"]);

  let path = "/surveys/not-an-id/nowhere?unknown=1";
  const headers: Record<string, string> = { "idempotency-key": key, "content-type": "text/plain" };
  let token: string | null = null;
  let method = "PUT";
  let body: string | undefined = "{";
  const next = async () => {
    const answer = await edge.call(path, { method, token, headers, ...(body !== undefined && { body }) });
    return answer.body.error?.code ?? answer.status;
  };

  expect(await next()).toBe("route_not_found");
  path = "/surveys/not-an-id?unknown=1";
  expect(await next()).toBe("method_not_allowed");
  method = "PATCH";
  expect(await next()).toBe("unauthorized");
  token = reader.value;
  expect(await next()).toBe("insufficient_scope");
  token = scoped.value;
  expect(await next()).toBe("forbidden");
  token = writer.value;
  expect(await next()).toBe("unsupported_media_type");
  headers["content-type"] = "application/json";
  expect(await next()).toBe("malformed_json");
  body = undefined;
  expect(await next()).toBe("invalid_request");
  body = "[]";
  expect(await next()).toBe("validation_failed");
  expect(reached).toBe(0);
  path = "/surveys/not-an-id";
  // The rest is up to the owner: key, `If-Match`, body, existence.
  expect(await next()).toBe("survey_not_found");
  expect(reached).toBe(1);
  path = `/surveys/${surveyId}`;
  expect(await next()).toBe(200);
  expect(reached).toBe(2);
});

test("too many calls are refused before the scope is looked at, and after authentication", async () => {
  await using edge = await startEdge({}, { config: { CANVASS_RATE_LIMIT_WRITES: 1 } });
  const reader = edge.services.issueToken(["surveys:read"]);
  const create = (token: string | null) => edge.call("/surveys", { method: "POST", token, body: "{" });
  expect((await create(reader.value)).body.error).toMatchObject({
    code: "insufficient_scope",
    details: { required_scope: "surveys:write" },
  });
  expect((await create(reader.value)).body.error.code).toBe("rate_limited");
  expect((await create(null)).body.error.code).toBe("unauthorized");
});

test("a missing token is refused before the requested workspace is looked at", async () => {
  await using edge = await startEdge();
  const { value } = edge.services.issueToken(["surveys:read"]);
  const headers = { "x-workspace-id": "not-an-id" };
  const code = async (token: string | null) => (await edge.call("/surveys", { token, headers })).body.error.code;
  expect(await code(null)).toBe("unauthorized");
  expect(await code("cvs_live_bad")).toBe("invalid_token");
  expect(await code(newTokenValue(true))).toBe("invalid_token");
  for (let calls = 0; calls < 2; calls += 1) expect(await code(value)).toBe("workspace_not_accessible");
});

test("on token operations a malformed key is refused first, as on other operations", async () => {
  await using edge = await startEdge();
  const change = (key: string, body: string) =>
    edge.call("/tokens/token00000000000?x=1", { method: "PATCH", body, headers: { "idempotency-key": key } });
  const header = await change("two words", '{"name":3}');
  expect([header.status, header.body.error.code]).toEqual([422, "validation_failed"]);
  expect(Object.keys(header.body.error.details)).toEqual(["Idempotency-Key", "x", "name"]);
  const rest = await change("key", '{"name":3}');
  expect([rest.status, rest.body.error.code]).toEqual([400, "invalid_request"]);
  expect(Object.keys(rest.body.error.details)).toEqual(["x", "name"]);
  expect((await change("two words", "")).body.error.details).toEqual({ body: ["is required"] });
});

test("all faults of query, header and body are in one answer", async () => {
  await using edge = await startEdge();
  const answer = await edge.call(`/response/surveys/${surveyId}/respondents?page=1&x=2`, {
    method: "POST",
    headers: { "idempotency-key": "two words" },
    body: JSON.stringify({ language: 3, metadata: [], contactId: "x", more: true }),
  });
  expect(answer.status).toBe(422);
  expect(answer.body.error.details).toEqual({
    "Idempotency-Key": ["must have 1 to 128 visible ASCII characters"],
    page: ["is not a known parameter"],
    x: ["is not a known parameter"],
    more: [expect.stringContaining("is not a known field")],
    contactId: [expect.any(String)],
    language: ["must be a language tag such as de or pt-BR"],
    metadata: ["must be an object"],
  });
});

test("a violation of the query is told together with any number of violations of the body", async () => {
  await using edge = await startEdge();
  const submissions = Array.from({ length: 500 }, () => ({ responses: Array.from({ length: 500 }, () => 0) }));
  const answer = await edge.call(`/response/surveys/${surveyId}/batch?x=1`, {
    method: "POST",
    body: JSON.stringify({ submissions }),
  });
  expect(answer.status).toBe(422);
  expect(answer.body.error.details).toMatchObject({
    x: ["is not a known parameter"],
    "submissions.0.responses.0": [expect.any(String)],
    "…": [expect.stringMatching(/^2\d{5} more are left out here$/), expect.stringContaining("more are left out")],
  });
});
