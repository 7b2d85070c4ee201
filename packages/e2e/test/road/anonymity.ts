import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { readFeed } from "../../src/index.ts";
import { completion, publishSmallSurvey, startRespondent } from "../small-survey.ts";
import { api } from "./road-system.ts";

/** Full anonymity: what a completion shows. */
export function anonymity(): void {
  test("tells the day only", async () => {
    const survey = await publishSmallSurvey(api, "Anonymous");
    await api.call("PATCH", `/surveys/${survey.surveyId}`, {
      headers: { "if-match": "*" },
      body: { settings: { privacy: { anonymity: "full" } } },
    });
    const respondentId = await startRespondent(api, survey);
    await api.post(`/response/surveys/${survey.surveyId}`, completion(survey, respondentId));
    const event = await waitFor(
      async () => (await readFeed(api)).events.find(({ data }) => data.response_id === respondentId),
      { describe: "the anonymous completion", timeoutMs: 20_000 },
    );
    expect(event.data.completed_at).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(event.timestamp).toBe(`${event.data.completed_at}T00:00:00.000Z`);
    const read = await api.get(`/response/surveys/${survey.surveyId}/respondents/${respondentId}`);
    expect(read.data.completedAt).toBe(event.data.completed_at);
    expect(read.data.startedAt).toMatch(/T\d\d:00:00\.000Z$/);
  });
}
