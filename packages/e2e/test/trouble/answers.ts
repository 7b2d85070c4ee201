import { expect, test } from "vitest";
import { expectNoTrace } from "../databases.ts";
import { expectRefusal } from "../expected-shapes.ts";
import { completion, startRespondent } from "../small-survey.ts";
import { anotherSurvey, api, databases, survey } from "./troubled-system.ts";

/** Invalid answers. */
export function testAnswers(): void {
  const submit = (respondentId: string, responses: unknown, more: object = {}) =>
    api.call("POST", `/response/surveys/${survey.surveyId}`, { body: { respondentId, responses, ...more } });

  test("of the wrong shape are 422 one by one, and none of the others is stored", async () => {
    const respondentId = await startRespondent(api, survey);
    const { ratingId, choiceId, textId } = survey;
    const good = { elementId: textId, type: "short_text", value: "fine" };
    const wrong: [unknown, string][] = [
      [{ elementId: ratingId, type: "rating", value: 6 }, "responses.1.value"],
      [{ elementId: ratingId, type: "rating", value: "4" }, "responses.1.value"],
      [{ elementId: ratingId, type: "rating", value: 2.5 }, "responses.1.value"],
      [{ elementId: ratingId, type: "nps", value: 4 }, "responses.1.type"],
      [{ elementId: choiceId, type: "multiple_choice", value: "zzzzzzzzzzzzzzzz" }, "responses.1.value"],
      [{ elementId: choiceId, type: "multiple_choice", value: survey.choices }, "responses.1.value"],
      [{ elementId: choiceId, type: "multiple_choice", value: { a: 1 } }, "responses.1.value"],
      [{ elementId: textId, type: "short_text", value: "twice" }, "responses.1.elementId"],
      [{ elementId: "zzzzzzzzzzzzzzzz", type: "rating", value: 4 }, "responses.1.elementId"],
      [{ elementId: anotherSurvey.ratingId, type: "rating", value: 4 }, "responses.1.elementId"],
      [{ elementId: ratingId, type: "rating" }, "responses.1.value"],
      [{ elementId: ratingId, type: "rating", value: 4, extra: 1 }, "responses.1.extra"],
      [{ elementId: ratingId, type: "rating", value: 4, meta: { a: "x".repeat(4096) } }, "responses.1.meta"],
      [7, "responses.1"],
    ];
    for (const [answer, path] of wrong) {
      const refused = await expectNoTrace(databases, () => submit(respondentId, [good, answer]));
      expectRefusal(refused, 422, "validation_failed");
      const places = Object.keys(refused.body.error!.details);
      expect(places.length, JSON.stringify(answer)).toBeGreaterThan(0);
      expect(places.filter((place) => !place.startsWith(path))).toEqual([]);
    }
  });

  test("have all faults of a submission in one answer", async () => {
    const refused = await expectNoTrace(databases, () =>
      submit("zzzzzzzzzzzzzzzz", [{ elementId: 1 }, "x"], { pageId: 7, metadata: [], colour: "red" }),
    );
    expectRefusal(refused, 422, "validation_failed");
    expect(Object.keys(refused.body.error!.details)).toEqual(
      expect.arrayContaining(["responses.0.elementId", "responses.1", "pageId", "metadata", "colour"]),
    );
  });

  test("of more than 500 questions at once are refused", async () => {
    const respondentId = await startRespondent(api, survey);
    const many = Array.from({ length: 501 }, () => ({ elementId: survey.ratingId, type: "rating", value: 1 }));
    const refused = await expectNoTrace(databases, () => submit(respondentId, many));
    expectRefusal(refused, 422, "validation_failed");
    expect(Object.keys(refused.body.error!.details)).toContain("responses");
  });

  test("without a respondent id are 400", async () => {
    const body = { responses: [] };
    const refused = await expectNoTrace(databases, () =>
      api.call("POST", `/response/surveys/${survey.surveyId}`, { body }),
    );
    expectRefusal(refused, 400, "invalid_request");
  });

  test("to a survey that was never published are refused", async () => {
    const { data } = await api.post("/surveys", { name: "Draft", questions: [{ type: "yes_no", text: "Is it?" }] });
    const start = () => api.call("POST", `/response/surveys/${data.id}/respondents`, { body: {} });
    // The first use stores how the survey collects, so only the second must leave no trace.
    expectRefusal(await start(), 422, "survey_not_collecting");
    expectRefusal(await expectNoTrace(databases, start), 422, "survey_not_collecting");
  });

  test("of somebody who has completed are refused when the settings say so", async () => {
    const respondentId = await startRespondent(api, survey);
    const path = `/response/surveys/${survey.surveyId}`;
    await api.post(path, completion(survey, respondentId));
    const refused = await expectNoTrace(databases, () =>
      api.call("POST", path, { body: completion(survey, respondentId, 1) }),
    );
    expectRefusal(refused, 422, "validation_failed");
  });
}
