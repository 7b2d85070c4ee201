import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiClient, DemoSystem } from "../src/index.ts";
import { repeatUntilFinal } from "../src/repeat-until-final.ts";
import { completion, publishSmallSurvey, startRespondent } from "./small-survey.ts";
import { startTestSystem } from "./test-system.ts";

let demo: DemoSystem;
let api: ApiClient;

beforeAll(async () => {
  demo = await startTestSystem({ restartMs: 1 });
  ({ api } = demo);
}, 120_000);
afterAll(() => demo?.[Symbol.asyncDispose]());

test("completions at once fill a quota exactly while the response service is killed among them", async () => {
  const survey = await publishSmallSurvey(api);
  const { surveyId, ratingId } = survey;
  const when = { elementId: ratingId, operator: "answered" };
  const body = { quotas: [{ name: "ten", when, limit: 10, onFull: "close" }] };
  const path = `/surveys/${surveyId}/quotas`;
  const replaced = await api.call("PUT", path, { body, headers: { "if-match": "*" } });
  expect(replaced.status).toBe(200);
  await api.post(`/surveys/${surveyId}/publish`, {}, { "if-match": "*" });
  const respondents = [];
  for (let at = 0; at < 40; at += 1) respondents.push(await startRespondent(api, survey));
  let isLeft = respondents.length;
  const answers = respondents.map(async (respondentId) => {
    const submit = () =>
      api.call("POST", `/response/surveys/${surveyId}`, {
        body: completion(survey, respondentId),
        headers: { "idempotency-key": `complete-${respondentId}` },
      });
    const answer = await repeatUntilFinal(submit, { describe: "a completion" });
    isLeft -= 1;
    return answer;
  });
  await demo.system.kill("response", "SIGKILL");
  await Promise.race(answers);
  if (isLeft > 0) await demo.system.kill("response", "SIGKILL");
  const codes = (await Promise.all(answers)).map(({ status, body: { error } }) => error?.code ?? status);
  expect(codes.filter((code) => code === 200)).toHaveLength(10);
  expect(codes.filter((code) => code === "quota_full")).toHaveLength(30);
  const { data } = await api.get(path);
  expect(data.quotas).toMatchObject([{ name: "ten", count: 10, remaining: 0, isFull: true }]);
}, 120_000);
