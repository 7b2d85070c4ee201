import { waitFor } from "@canvass/testing";
import pLimit from "p-limit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiResponse, type ApiClient, type DemoSystem } from "../src/index.ts";
import { repeatUntilFinal } from "../src/repeat-until-final.ts";
import { expectRefusal } from "./expected-shapes.ts";
import { completion, publishSmallSurvey, startRespondent, type SmallSurvey } from "./small-survey.ts";
import { clientWithCachedToken } from "./client-with-cached-token.ts";
import { whileFrozen } from "./while-away.ts";
import { startTestSystem } from "./test-system.ts";

/** Deadline of a request; a batch has half of it. */
const deadlineMs = 8_000;
const requests = 10;

let demo: DemoSystem;
let api: ApiClient;
let survey: SmallSurvey;
let webhookId: string;

beforeAll(async () => {
  demo = await startTestSystem({ env: { CANVASS_REQUEST_TIMEOUT_MS: String(deadlineMs) } });
  ({ api } = demo);
  survey = await publishSmallSurvey(api);
  const webhook = await api.post("/event-subscriptions", { name: "Hook", url: demo.receiver.url });
  webhookId = webhook.data.id;
  await api.post("/event-subscriptions", { name: "Feed" });
  demo.receiver.trust(webhook.data.secret);
});
afterAll(() => demo?.[Symbol.asyncDispose]());

const readSurvey = () => api.call("GET", `/surveys/${survey.surveyId}`);
const submit = (respondentId: string) =>
  api.call("POST", `/response/surveys/${survey.surveyId}`, { body: completion(survey, respondentId) });

const startOne = () => api.call("POST", `/response/surveys/${survey.surveyId}/respondents`, { body: {} });

/** Closes or opens the survey by its schedule. */
async function closeSurvey(isClosed: boolean): Promise<void> {
  const body = { settings: { schedule: { closesAt: isClosed ? "2020-01-01T00:00:00Z" : null } } };
  await api.patch(`/surveys/${survey.surveyId}`, body, { "if-match": "*" });
}

/** A call for each service that needs that service. */
const calls = {
  survey: readSurvey,
  response: () => api.call("GET", `/response/surveys/${survey.surveyId}/aggregation`),
  webhook: () => api.call("GET", "/events"),
  delivery: () => api.call("GET", `/event-subscriptions/${webhookId}/deliveries`),
} satisfies Record<string, () => Promise<ApiResponse>>;

async function startRespondents(count: number): Promise<string[]> {
  const ids: string[] = [];
  await pLimit(8).map(Array.from({ length: count }), async () => void ids.push(await startRespondent(api, survey)));
  return ids;
}

async function whileStopped(name: string, work: () => Promise<void>): Promise<void> {
  await whileFrozen(demo.system, name, work);
  await waitFor(async () => (await api.call("GET", "/health")).status === 200, {
    describe: "a healthy system",
    timeoutMs: 60_000,
  });
}

/** Asserts that requests are refused without being sent to the service: one that waits there is answered 504. */
async function expectRefusals(call: () => Promise<ApiResponse>): Promise<void> {
  const first = await call();
  expect([503, 504], first.raw).toContain(first.status);
  expect(Number(first.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  for (let request = 0; request < requests; request += 1) {
    const answer = await call();
    expectRefusal(answer, 503, "service_unavailable");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
  const health = await api.call("GET", "/health");
  expect(health.status).toBe(503);
}

test("while the survey service hangs, respondents can answer, and its own operations are refused at once", async () => {
  const respondents = await startRespondents(2 * requests);
  expect((await submit(respondents.pop()!)).status).toBe(200);
  await whileStopped("survey", async () => {
    for (const respondentId of respondents) {
      const answer = await submit(respondentId);
      expect(answer.status, answer.raw).toBe(200);
    }
    await expectRefusals(readSurvey);
  });
  expect((await readSurvey()).status).toBe(200);
  await closeSurvey(true);
  await waitFor(async () => (await startOne()).body.error?.code === "survey_not_collecting", {
    describe: "the present state of the survey to count again",
  });
  await closeSurvey(false);
});

test("while the token service hangs, known callers are served and others are refused at once", async () => {
  const { data } = await api.post("/tokens", { name: "never used", scopes: ["surveys:read"] });
  const headers = { authorization: `Bearer ${data.token}` };
  const callUnauthenticated = () => api.call("GET", `/surveys/${survey.surveyId}`, { headers });
  await using known = await clientWithCachedToken(demo);
  const readKnown = () => known.call("GET", `/surveys/${survey.surveyId}`);
  await whileStopped("token", async () => {
    const answers = await Promise.all(Array.from({ length: requests }, readKnown));
    expect(answers.map(({ status }) => status)).toEqual(Array(requests).fill(200));
    await expectRefusals(callUnauthenticated);
  });
  expect((await callUnauthenticated()).status).toBe(200);
});

describe("another service that hangs", () => {
  test.each(["response", "webhook", "delivery"] as const)(
    "%s: its operations are refused at once, others go on, and what was to be delivered arrives",
    async (name) => {
      const [respondentId] = await startRespondents(1);
      await whileStopped(name, async () => {
        if (name !== "response") expect((await submit(respondentId!)).status).toBe(200);
        await expectRefusals(calls[name]);
        expect((await readSurvey()).status).toBe(200);
      });
      expect((await repeatUntilFinal(calls[name], { describe: name })).status).toBe(200);
      if (name === "response") expect((await submit(respondentId!)).status).toBe(200);
      await waitFor(
        () => [...demo.receiver.events.values()].some((event) => event.data["response_id"] === respondentId),
        {
          describe: "the completion at the receiver",
          timeoutMs: 60_000,
        },
      );
    },
  );
});
