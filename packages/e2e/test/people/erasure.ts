import { waitFor } from "@canvass/testing";
import { beforeAll, expect, test } from "vitest";
import type { ApiClient } from "../../src/index.ts";
import { completion, publishSmallSurvey, startRespondent, type SmallSurvey } from "../small-survey.ts";
import type { SharedSystem } from "../shared-system.ts";

let api: ApiClient;
let survey: SmallSurvey;

const live = async () => (await api.get("/respondent-activity/live-summary")).data;
const responseCount = async () => (await api.get(`/surveys/${survey.surveyId}`)).data.responseCount;

/** Tests that erasing a respondent removes it from results, counts and activity. */
export function testErasure(shared: SharedSystem): void {
  beforeAll(async () => {
    // Own workspace: live activity covers the whole workspace.
    ({ api } = await shared.newWorkspace());
    survey = await publishSmallSurvey(api);
  });

  test("a batch starts and completes people; who is erased is gone from results, counts and activity, and named nowhere", async () => {
    const path = `/response/surveys/${survey.surveyId}`;
    const known = await startRespondent(api, survey);
    expect(await live()).toEqual({
      since_midnight_total: 1,
      currently_active: 1,
      by_country: [{ country_code: "ZZ", count: 1 }],
    });
    const { respondentId: _, ...somebody } = completion(survey, "");
    const { data } = await api.post(`${path}/batch`, {
      submissions: [somebody, completion(survey, known), { ...somebody, responses: [] }],
    });
    expect(data.submissions).toMatchObject([
      { index: 0, status: "submitted", error: null },
      { index: 1, status: "submitted", respondentId: known },
      { index: 2, status: "failed", respondentId: null, error: { code: "validation_failed" } },
    ]);
    expect(await live()).toMatchObject({ since_midnight_total: 2, currently_active: 0 });
    await waitFor(async () => (await responseCount()) === 2, { describe: "two responses to be counted" });

    const erased = await api.call("DELETE", `${path}/respondents/${known}`);
    expect([erased.status, erased.data]).toEqual([
      200,
      {
        respondentId: known,
        erasedAt: expect.any(String),
        answers: 2,
        files: 0,
        uploadedFiles: 0,
        remains: expect.arrayContaining([{ what: expect.stringContaining("Backups"), days: null }]),
      },
    ]);
    expect((await api.get(`${path}/aggregation`)).data).toMatchObject({
      respondentStats: { totalStarted: 1, totalCompleted: 1 },
      questionStats: [{ responseCount: 1 }, { responseCount: 0 }, { responseCount: 1 }],
    });
    expect((await live()).since_midnight_total).toBe(1);
    expect((await api.call("GET", `${path}/respondents/${known}`)).status).toBe(404);
    await waitFor(async () => (await responseCount()) === 1, { describe: "one response to be left" });

    const log = `/audit-log?action=survey.respondent_erased&resource=${survey.surveyId}`;
    await waitFor(async () => (await api.get(log)).data.length === 1, { describe: "the audit entry" });
    const { raw, data: entries } = await api.get(log);
    expect(raw).not.toContain(known);
    expect(entries[0]).toMatchObject({ after: { answers: 2 }, before: null });
  });
}
