import { WORKSPACE_ROOT } from "@canvass/processes";
import { waitFor } from "@canvass/testing";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readFeed, type ApiResponse, type ApiClient, type DemoSystem } from "../src/index.ts";
import { expectRefusal } from "./expected-shapes.ts";
import {
  completeRespondent,
  completion,
  publishSmallSurvey,
  startRespondent,
  type SmallSurvey,
} from "./small-survey.ts";
import { clientWithCachedToken } from "./client-with-cached-token.ts";
import { metricNames } from "./metric-names.ts";
import { whileAway } from "./while-away.ts";
import { startTestSystem } from "./test-system.ts";

let demo: DemoSystem;
let api: ApiClient;
let survey: SmallSurvey;
let respondentId: string;
let webhookId: string;

beforeAll(async () => {
  demo = await startTestSystem();
  ({ api } = demo);
  survey = await publishSmallSurvey(api);
  respondentId = await completeRespondent(api, survey);
  const webhook = await api.post("/event-subscriptions", { name: "Hook", url: demo.receiver.url });
  await api.post("/event-subscriptions", { name: "Feed" });
  webhookId = webhook.data.id;
  demo.receiver.trust(webhook.data.secret);
});
afterAll(() => demo?.[Symbol.asyncDispose]());

// Without the token service, gateways serve only recently authenticated tokens.
beforeEach(async (context) => {
  ({ api } = demo);
  await recovered();
  const known = await clientWithCachedToken(demo);
  context.onTestFinished(() => known[Symbol.asyncDispose]());
  api = known;
});

type Service = "token" | "survey" | "response" | "webhook" | "delivery";

/** A call for each service that needs that service. */
const calls: Record<Service, () => Promise<ApiResponse>> = {
  token: () => api.call("GET", "/tokens"),
  survey: () => api.call("GET", `/surveys/${survey.surveyId}`),
  response: () => api.call("GET", `/response/surveys/${survey.surveyId}/respondents/${respondentId}`),
  webhook: () => api.call("GET", "/events"),
  delivery: () => api.call("GET", `/event-subscriptions/${webhookId}/deliveries`),
};
/** Listing deliveries first reads the subscription. */
const needs: Record<Service, Service[]> = {
  token: ["token"],
  survey: ["survey"],
  response: ["response"],
  webhook: ["webhook"],
  delivery: ["delivery", "webhook"],
};
const services = Object.keys(calls) as Service[];

function processIds(): Map<string, number> {
  return new Map(demo.system.local.processes.map(({ name, pid }) => [name, pid]));
}

/** Waits until the system recovers by itself. */
async function recovered(): Promise<void> {
  const isWell = async () => {
    const answers = await Promise.all([api.call("GET", "/health"), ...services.map((service) => calls[service]())]);
    return answers.every(({ status }) => status === 200) && answers[0].data.status === "ok";
  };
  await waitFor(isWell, { describe: "a healthy system whose services answer", timeoutMs: 60_000 });
}

function expectUnavailable(answer: ApiResponse): void {
  expectRefusal(answer, 503, "service_unavailable");
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
}

async function healthOf(check: string): Promise<string | undefined> {
  const { body } = await api.call("GET", "/health");
  return (body.data as { checks?: Record<string, string> })?.checks?.[check];
}

test("the metrics that alerts and dashboard may name are those that the processes have", async () => {
  const list = join(WORKSPACE_ROOT, "packages/e2e/test/kubernetes/metric-names.txt");
  await expect(await metricNames(demo.system)).toMatchFileSnapshot(list);
});

describe("a service that is gone", () => {
  test.each(services)("%s: its operations return 503, all others work, and it recovers", async (gone) => {
    const before = processIds();
    await whileAway(demo.system, [gone], async () => {
      // At once: identities are cached for ten seconds.
      const answers = await Promise.all(services.map(async (service) => [service, await calls[service]()] as const));
      for (const [service, answer] of answers) {
        if (needs[service].includes(gone)) expectUnavailable(answer);
        else expect(answer.status, `${service} without ${gone}: ${answer.raw}`).toBe(200);
      }
      await waitFor(async () => (await healthOf(gone)) === "unavailable", { describe: `${gone} to be reported` });
      const health = await api.call("GET", "/health");
      expect(health.status).toBe(503);
      expect(health.body.error?.code).toBe("service_unavailable");
    });
    await recovered();
    const after = processIds();
    for (const [name, pid] of before) if (name !== gone) expect(after.get(name), name).toBe(pid);
  });

  test("distribution: nothing is refused, and health says so", async () => {
    await whileAway(demo.system, ["distribution"], async () => {
      for (const service of services) expect((await calls[service]()).status).toBe(200);
      await waitFor(async () => (await healthOf("distribution")) === "unavailable", {
        describe: "distribution to be reported",
      });
    });
    await recovered();
  });
});

test("without the survey service, respondents continue with the last known state", async () => {
  const begun = await startRespondent(api, survey);
  const path = `/response/surveys/${survey.surveyId}`;
  const body = completion(survey, begun);
  const submitted = await whileAway(demo.system, ["survey"], () => api.call("POST", path, { body }));
  expect(submitted.status, submitted.raw).toBe(200);
  expect(submitted.data.respondentStatus).toBe("completed");
});

test("without the token service, a token never seen is 503 and not 401", async () => {
  const { data } = await api.post("/tokens", { name: "never used", scopes: ["surveys:read"] });
  const headers = { authorization: `Bearer ${data.token}` };
  const read = () => api.call("GET", `/surveys/${survey.surveyId}`, { headers });
  expectUnavailable(await whileAway(demo.system, ["token"], read));
  await waitFor(async () => (await read()).status === 200, { describe: "the token to be accepted" });
});

test("without NATS nothing is refused; health names the broker and stays 200", async () => {
  const completed = await whileAway(demo.system, ["nats"], async () => {
    for (const service of services) expect((await calls[service]()).status).toBe(200);
    const respondent = await completeRespondent(api, survey);
    await waitFor(async () => (await healthOf("broker")) === "unavailable", { describe: "the broker to be reported" });
    const health = await api.call("GET", "/health");
    expect({ status: health.status, says: health.data.status }).toEqual({ status: 200, says: "degraded" });
    return respondent;
  });
  await recovered();
  await waitFor(async () => (await readFeed(api)).events.some(({ data }) => data.response_id === completed), {
    describe: "the completion of the outage in the feed",
    timeoutMs: 60_000,
  });
});

test("without the database everything is 503, nothing is half done, and it all comes back by itself", async () => {
  const begun = await startRespondent(api, survey);
  const before = processIds();
  const path = `/response/surveys/${survey.surveyId}`;
  const writes = [
    () => api.call("POST", "/surveys", { body: { name: "Without a database" } }),
    () => api.call("POST", path, { body: completion(survey, begun) }),
    () => api.call("POST", `${path}/respondents`, { body: {} }),
    () => api.call("POST", "/event-subscriptions", { body: { name: "Without a database" } }),
    () => api.call("POST", "/tokens", { body: { name: "Without a database" } }),
  ];
  await whileAway(demo.system, ["postgres"], async () => {
    for (const call of [...Object.values(calls), ...writes]) expectUnavailable(await call());
    const health = await waitFor(
      async () => {
        const answer = await api.call("GET", "/health");
        const checks = answer.body.error?.details["checks"] as Record<string, string> | undefined;
        return checks?.["database"] === "unavailable" ? answer : undefined;
      },
      { describe: "health to report the database" },
    );
    expect(health.status).toBe(503);
    expect(health.body.error!.details["checks"]).toMatchObject({ broker: "ok" });
  });
  await recovered();
  const after = processIds();
  before.delete("postgres");
  for (const [name, pid] of before) expect(after.get(name), name).toBe(pid);
  const submitted = await api.call("POST", path, { body: completion(survey, begun) });
  expect(submitted.data?.respondentStatus, submitted.raw).toBe("completed");
});
