import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemoSystem, type ApiAnswer, type ApiClient, type DemoSystem } from "../src/index.ts";
import { openDatabases, type Databases } from "./databases.ts";
import { expectRefusal } from "./expected-shapes.ts";
import { completion, publishSmallSurvey, startRespondent, type SmallSurvey } from "./small-survey.ts";

let demo: DemoSystem;
let api: ApiClient;
let databases: Databases;
let survey: SmallSurvey;

beforeAll(async () => {
  demo = await startDemoSystem();
  ({ api } = demo);
  databases = openDatabases(demo.system.local.databaseUrl);
  survey = await publishSmallSurvey(api);
}, 120_000);
afterAll(async () => {
  await databases?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
});

interface Write {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Another body, which the operation would refuse if the key were not in its way. */
  invalidBody: unknown;
}

/** Every write of the API that takes an idempotency key, each ready to be made once. */
const writes: [name: string, prepare: () => Promise<Write>][] = [
  [
    "creating a survey",
    async () => ({ method: "POST", path: "/surveys", body: { name: "Replayed" }, invalidBody: { nonsense: 1 } }),
  ],
  [
    "patching a survey",
    async () => {
      const { surveyId } = await publishSmallSurvey(api);
      const { headers } = await api.get(`/surveys/${surveyId}`);
      return {
        method: "PATCH",
        path: `/surveys/${surveyId}`,
        body: { name: "Replayed" },
        headers: { "if-match": headers.get("etag")! },
        invalidBody: { type: "no number" },
      };
    },
  ],
  [
    "adding questions",
    async () => ({
      method: "POST",
      path: `/surveys/${survey.surveyId}/questions`,
      body: { questions: [{ type: "yes_no", text: "Really?" }] },
      invalidBody: { questions: [] },
    }),
  ],
  [
    "publishing",
    async () => {
      const { data } = await api.post("/surveys", {
        name: "To publish",
        questions: [{ type: "nps", text: "NPS", subject: "us" }],
      });
      const { headers } = await api.get(`/surveys/${data.id}`);
      return {
        method: "POST",
        path: `/surveys/${data.id}/publish`,
        body: { note: "replayed" },
        headers: { "if-match": headers.get("etag")! },
        invalidBody: { note: 1 },
      };
    },
  ],
  [
    "starting a respondent",
    async () => ({
      method: "POST",
      path: `/response/surveys/${survey.surveyId}/respondents`,
      body: { language: "de" },
      invalidBody: { language: 1 },
    }),
  ],
  [
    "submitting answers",
    async () => ({
      method: "POST",
      path: `/response/surveys/${survey.surveyId}`,
      body: completion(survey, await startRespondent(api, survey)),
      invalidBody: { respondentId: 5, responses: {} },
    }),
  ],
  [
    "patching a token",
    async () => {
      const { data } = await api.post("/tokens", { name: "to rename", scopes: ["surveys:read"] });
      return { method: "PATCH", path: `/tokens/${data.id}`, body: { name: "Replayed" }, invalidBody: { name: "" } };
    },
  ],
  [
    "revoking a token",
    async () => {
      const { data } = await api.post("/tokens", { name: "to revoke", scopes: ["surveys:read"] });
      return { method: "DELETE", path: `/tokens/${data.id}`, invalidBody: { unexpected: true } };
    },
  ],
  [
    "deleting a subscription",
    async () => {
      const { data } = await api.post("/event-subscriptions", { name: "to delete" });
      return { method: "DELETE", path: `/event-subscriptions/${data.id}`, invalidBody: { unexpected: true } };
    },
  ],
];

describe.each(writes)("%s", (_name, prepare) => {
  test("is applied once, and repeated with the first answer to the byte", async () => {
    const write = await prepare();
    const key = randomUUID();
    const first = await send(write, key);
    expect(first.status, first.raw).toBeLessThan(300);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const rows = await databases.fingerprint();

    const replays = await Promise.all([send(write, key), send(write, key), send(write, key)]);
    for (const replay of replays) {
      expect(shown(replay)).toEqual(shown(first));
      expect(replay.headers.get("idempotent-replayed")).toBe("true");
    }
    expect(await databases.fingerprint()).toEqual(rows);
  });

  test("refuses its key for another body, however invalid that is", async () => {
    const write = await prepare();
    const key = randomUUID();
    const first = await send(write, key);
    expect(first.status, first.raw).toBeLessThan(300);
    const { "if-match": _, ...withoutIfMatch } = write.headers ?? {};
    const others: Write[] = [
      { ...write, body: write.invalidBody },
      { ...write, body: write.invalidBody, headers: withoutIfMatch },
      { ...write, body: { other: true }, headers: { "if-match": '"stale"' } },
    ];
    for (const other of others) expectRefusal(await send(other, key), 409, "idempotency_key_reused");
    // The key still stands for what it was first used for.
    expect(shown(await send(write, key))).toEqual(shown(first));
  });

  test("does not use a key up when it is refused", async () => {
    const write = await prepare();
    const key = randomUUID();
    const refused = await send({ ...write, body: write.invalidBody }, key);
    expect([400, 422], refused.raw).toContain(refused.status);
    const accepted = await send(write, key);
    expect(accepted.status, accepted.raw).toBeLessThan(300);
    expect(accepted.headers.get("idempotent-replayed")).toBeNull();
  });
});

function send({ method, path, body, headers }: Write, key: string): Promise<ApiAnswer> {
  return api.call(method, path, { body, headers: { ...headers, "idempotency-key": key } });
}

function shown({ status, raw, headers }: ApiAnswer) {
  return { status, raw, etag: headers.get("etag"), requestId: headers.get("x-request-id") };
}

describe("keys", () => {
  const create = (key: string, token?: string) =>
    api.call("POST", "/surveys", {
      body: { name: "Keyed" },
      headers: { "idempotency-key": key, ...(token && { authorization: `Bearer ${token}` }) },
    });

  test("belong to a token, a method and a path", async () => {
    const { data } = await api.post("/tokens", { name: "other", scopes: ["full_access"] });
    const key = randomUUID();
    const answers = [await create(key), await create(key, data.token)];
    expect(new Set(answers.map((answer) => answer.data.id)).size).toBe(2);
    const elsewhere = await api.call("POST", `/response/surveys/${survey.surveyId}/respondents`, {
      body: { name: "Keyed" },
      headers: { "idempotency-key": key },
    });
    expectRefusal(elsewhere, 422, "validation_failed", { name: ["is not a known field"] });
  });

  test.each(["", "has a space", "ä", "x".repeat(129)])("that are none are named: %j", async (key) => {
    const before = await databases.countRows();
    const answer = await create(key);
    expectRefusal(answer, 422, "validation_failed", { "Idempotency-Key": [expect.any(String)] });
    expect(await databases.countRows()).toEqual(before);
  });

  test("of 1 and of 128 characters do", async () => {
    for (const key of ["!", "~".repeat(128)]) {
      const first = await create(key);
      expect(shown(await create(key))).toEqual(shown(first));
    }
  });

  test("compare raw bytes: the same JSON written differently is another body", async () => {
    const key = randomUUID();
    const send = (body: string) => api.call("POST", "/surveys", { body, headers: { "idempotency-key": key } });
    expect((await send('{"name":"Bytes"}')).status).toBe(201);
    expectRefusal(await send('{ "name":"Bytes"}'), 409, "idempotency_key_reused");
  });

  test("do not replay answers that hold a secret", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const body = { name: "twice", scopes: ["surveys:read"] };
    const tokens = [await api.post("/tokens", body, headers), await api.post("/tokens", body, headers)];
    expect(tokens[0]!.data.token).not.toBe(tokens[1]!.data.token);

    const subscription = { name: "once", url: demo.receiver.url };
    const created = await api.post("/event-subscriptions", subscription, headers);
    const again = await api.call("POST", "/event-subscriptions", { body: subscription, headers });
    expectRefusal(again, 409, "duplicate_subscription", { subscription_id: created.data.id });
  });
});
