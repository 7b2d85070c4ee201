import { expect, test } from "vitest";
import type { ApiClient } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";

/** Closes or opens the survey through its schedule. */
async function close(api: ApiClient, surveyId: string, isClosed: boolean): Promise<void> {
  const closesAt = isClosed ? "2020-01-01T00:00:00Z" : null;
  const headers = { "if-match": "*" };
  const { status } = await api.call("PATCH", `/surveys/${surveyId}`, {
    headers,
    body: { settings: { schedule: { closesAt } } },
  });
  expect(status).toBe(200);
}

/** Tests that settings apply to submissions at once. */
export function testSettingsAtOnce(shared: SharedSystem): void {
  test("once a change is answered no later submission meets the old settings, also under load", async () => {
    const { api } = await shared.newWorkspace();
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

    // The service reads the survey's state all the time, while the settings change.
    const stop = new AbortController();
    const load = Array.from({ length: 8 }, async () => {
      while (!stop.signal.aborted) await api.call("POST", path, { body });
    });
    for (let round = 0; round < 10; round += 1) {
      await close(api, survey, true);
      const refused = await Promise.all(Array.from({ length: 10 }, () => api.call("POST", path, { body })));
      expect(refused.map(({ body: answer }) => answer.error?.code)).toEqual(Array(10).fill("survey_not_collecting"));
      await close(api, survey, false);
      const taken = await Promise.all(Array.from({ length: 10 }, () => api.call("POST", path, { body })));
      expect(taken.map(({ status }) => status)).toEqual(Array(10).fill(200));
    }
    stop.abort();
    await Promise.all(load);
  });
}
