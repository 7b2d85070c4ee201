import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoSystem } from "../src/index.ts";
import { startTestSystem } from "./test-system.ts";

let demo: DemoSystem;
beforeAll(async () => {
  demo = await startTestSystem();
});
afterAll(() => demo[Symbol.asyncDispose]());

/** Closes or opens the survey by its schedule; resolves with the answer. */
async function close(surveyId: string, isClosed: boolean): Promise<void> {
  const closesAt = isClosed ? "2020-01-01T00:00:00Z" : null;
  const headers = { "if-match": "*" };
  const { status } = await demo.api.call("PATCH", `/surveys/${surveyId}`, {
    headers,
    body: { settings: { schedule: { closesAt } } },
  });
  expect(status).toBe(200);
}

test("once a change is answered no later submission meets the old settings, also under load", async () => {
  const { api } = demo;
  const questions = [
    { type: "rating", text: "How was it?", required: true },
    { type: "short_text", text: "Why?" },
  ];
  const survey = (await api.post("/surveys", { name: "At once", questions })).data.id;
  await api.post(`/surveys/${survey}/publish`, undefined, { "if-match": "*" });
  const [, second] = (await api.get(`/surveys/${survey}/elements`)).data;
  const path = `/response/surveys/${survey}`;
  const { respondentId } = (await api.post(`${path}/respondents`, {})).data;
  const body = { respondentId, responses: [{ elementId: second.id, value: "because" }] };

  // These submissions keep renewing the leases on the survey's state.
  const stop = new AbortController();
  const load = Array.from({ length: 8 }, async () => {
    while (!stop.signal.aborted) await api.call("POST", path, { body });
  });
  for (let round = 0; round < 10; round += 1) {
    await close(survey, true);
    const refused = await Promise.all(Array.from({ length: 10 }, () => api.call("POST", path, { body })));
    expect(refused.map(({ body: answer }) => answer.error?.code)).toEqual(Array(10).fill("survey_not_collecting"));
    await close(survey, false);
    const taken = await Promise.all(Array.from({ length: 10 }, () => api.call("POST", path, { body })));
    expect(taken.map(({ status }) => status)).toEqual(Array(10).fill(200));
  }
  stop.abort();
  await Promise.all(load);
});
