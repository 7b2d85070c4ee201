import { expect, test } from "vitest";
import { expectNoTrace } from "../databases.ts";
import { expectRefusal } from "../expected-shapes.ts";
import { publishSmallSurvey } from "../small-survey.ts";
import { api, databases, survey } from "./troubled-system.ts";

/** `If-Match`: missing, stale, and contended. */
export function testPreconditions(): void {
  const patch = (surveyId: string, headers: Record<string, string>, name = "Patched") =>
    api.call("PATCH", `/surveys/${surveyId}`, { headers, body: { name } });

  test("that are missing are 428, stale ones 412, and nothing is written", async () => {
    const { surveyId } = survey;
    const etag = (await api.get(`/surveys/${surveyId}`)).headers.get("etag")!;
    const fresh = await patch(surveyId, { "if-match": etag });
    expect(fresh.status).toBe(200);
    await expectNoTrace(databases, async () => {
      expectRefusal(await patch(surveyId, {}), 428, "precondition_required");
      for (const stale of [etag, '"made-up"', `W/${fresh.headers.get("etag")}`, `${etag}, "other"`]) {
        expectRefusal(await patch(surveyId, { "if-match": stale }), 412, "precondition_failed");
      }
      for (const noTag of ["no tag", '"a blank"']) {
        expectRefusal(await patch(surveyId, { "if-match": noTag }), 422, "validation_failed");
      }
      const publish = `/surveys/${surveyId}/publish`;
      expectRefusal(await api.call("POST", publish, { body: {} }), 428, "precondition_required");
      const stale = { headers: { "if-match": etag }, body: {} };
      expectRefusal(await api.call("POST", publish, stale), 412, "precondition_failed");
    });
    expect((await patch(surveyId, { "if-match": `"other", ${fresh.headers.get("etag")}` })).status).toBe(200);
    expect((await patch(surveyId, { "if-match": "*" })).status).toBe(200);
  });

  test("let exactly one of many concurrent writers through", async () => {
    const { surveyId } = await publishSmallSurvey(api, "Contended");
    const etag = (await api.get(`/surveys/${surveyId}`)).headers.get("etag")!;
    const names = Array.from({ length: 20 }, (_, index) => `Writer ${index}`);
    const answers = await Promise.all(names.map((name) => patch(surveyId, { "if-match": etag }, name)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expectRefusal(answer, 412, "precondition_failed");
    const now = await api.get(`/surveys/${surveyId}`);
    expect(now.data.name).toBe(winners[0]!.data.name);
    expect(now.headers.get("etag")).toBe(winners[0]!.headers.get("etag"));
  });
}
