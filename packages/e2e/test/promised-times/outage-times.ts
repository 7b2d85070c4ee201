import { waitFor } from "@canvass/testing";
import { beforeAll, expect, test } from "vitest";
import type { ApiResponse, ApiClient, DemoSystem } from "../../src/index.ts";
import { followCompletions, type Completions } from "../completions.ts";
import { expectRefusal } from "../expected-shapes.ts";
import { completion, startRespondent } from "../small-survey.ts";
import type { SharedSystem } from "../shared-system.ts";
import { whileAway, whileFrozen } from "../while-away.ts";

/** Deadline of a request. A batch uses half of it, and a hanging callee is detected within 3.5 seconds. */
export const deadlineMs = 8_000;
const slackMs = 1_000;
/** Sequential requests. Each could wait for its deadline. */
const requests = 40;

let demo: DemoSystem;
let api: ApiClient;
let completions: Completions;

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const readSurvey = () => api.call("GET", `/surveys/${completions.survey.surveyId}`);
const readResults = () => api.call("GET", `/response/surveys/${completions.survey.surveyId}/aggregation`);

async function waitForRecovery(): Promise<void> {
  const isHealthy = async () =>
    (await Promise.all([api.call("GET", "/health"), readSurvey(), readResults()])).every(
      ({ status }) => status === 200,
    );
  await waitFor(isHealthy, { describe: "a healthy system", timeoutMs: 60_000 });
}

/** Tests that an outage delays a request by at most a deadline, and that missed events arrive within a minute. */
export function testOutageTimes(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ demo } = shared);
    ({ api } = demo);
    completions = await followCompletions(demo);
  });

  test.each<[string, () => Promise<ApiResponse>]>([
    ["survey", readSurvey],
    ["response", readResults],
  ])(
    "while the %s service hangs, the first request keeps its deadline and others are refused at once",
    async (name, call) => {
      await whileFrozen(demo.system, name, async () => {
        let first: ApiResponse;
        expect(await millisecondsOf(async () => (first = await call()))).toBeLessThan(deadlineMs + slackMs);
        expectRefusal(first!, 504, "deadline_exceeded", {});
        const refuse = async () => {
          for (let request = 0; request < requests; request += 1) expect((await call()).status).toBe(503);
        };
        expect(await millisecondsOf(refuse)).toBeLessThan(2 * deadlineMs);
      });
      await waitForRecovery();
    },
  );

  test("without the database everything is 503 in time", async () => {
    const { survey } = completions;
    const respondentId = await startRespondent(api, survey);
    const path = `/response/surveys/${survey.surveyId}`;
    const calls = [
      readSurvey,
      readResults,
      () => api.call("GET", "/events"),
      () => api.call("POST", "/surveys", { body: { name: "Without a database" } }),
      () => api.call("POST", path, { body: completion(survey, respondentId) }),
      () => api.call("POST", `${path}/respondents`, { body: {} }),
    ];
    await whileAway(demo.system, ["postgres"], async () => {
      for (const call of calls) {
        const time = await millisecondsOf(async () => expectRefusal(await call(), 503, "service_unavailable"));
        expect(time).toBeLessThan(deadlineMs + slackMs);
      }
    });
    await waitForRecovery();
  });

  test("while NATS is stopped, every completion arrives within a minute", async () => {
    await whileAway(demo.system, ["nats"], async () => {
      await completions.complete(60);
      expect(await millisecondsOf(() => completions.expectAllArrived())).toBeLessThan(60_000);
    });
  });
}
