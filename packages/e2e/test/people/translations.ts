import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient, type ApiClient } from "../../src/index.ts";
import { expectRefusal } from "../expected-shapes.ts";
import type { SharedSystem } from "../shared-system.ts";
import { completeRespondent, publishSmallSurvey, type SmallSurvey } from "../small-survey.ts";

let api: ApiClient;
/** A client without a token. */
let people: ApiClient;
let survey: SmallSurvey;
let code: string;

const anyRevision = { "if-match": "*" };

/** Tests a survey in two languages, from its translation to the answers. */
export function testTranslatedSurveys(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ api } = await shared.newWorkspace());
    people = createApiClient(shared.demo.system.local.baseUrl, "");
    survey = await publishSmallSurvey(api);
    const { data } = await api.post(`/distribution/surveys/${survey.surveyId}`, { name: "Poster" });
    await api.post(`/distribution/${data.id}/activate`);
    ({ code } = data);
  });
  afterAll(() => people?.[Symbol.asyncDispose]());

  describe("a translated survey", () => {
    const at = () => `/surveys/${survey.surveyId}/translations`;

    test("is written, checked, published, and given to respondents in their language", async () => {
      await api.patch(`/surveys/${survey.surveyId}`, { settings: { locale: { languages: ["de"] } } }, anyRevision);
      const when = { elementId: survey.ratingId, operator: "equals", value: 5 };
      const constraints = [{ must: { ...when, operator: "at_least", value: 2 }, message: "Two at least." }];
      const settings = { settings: {}, constraints };
      await api.call("PUT", `/elements/${survey.ratingId}/settings`, { body: settings, headers: anyRevision });
      const quotas = [{ name: "Fives", when, limit: 1, onFull: "message", message: "Enough fives." }];
      const { data: stored } = await api.call("PUT", `/surveys/${survey.surveyId}/quotas`, {
        body: { quotas },
        headers: anyRevision,
      });
      const texts = {
        "survey.name": "Kleine Umfrage",
        [`elements.${survey.ratingId}.text`]: "Wie war es?",
        [`elements.${survey.ratingId}.constraints.0.message`]: "Mindestens zwei.",
        [`quotas.${stored.quotas[0].quotaId}.message`]: "Genug Fünfen.",
      };
      const { data } = await api.call("PUT", `${at()}/de`, { body: texts, headers: anyRevision });
      expect(data).toEqual(texts);
      const [german] = (await api.get(at())).data;
      expect(german).toMatchObject({ language: "de", translated: 4, outdated: 0 });
      const wrong = { [`elements.${survey.ratingId}.text`]: "{{x}}", "elements.none.text": "?" };
      expectRefusal(
        await api.call("PATCH", `${at()}/de`, { body: wrong, headers: anyRevision }),
        422,
        "validation_failed",
      );
      const { data: draft } = await api.post(`/surveys/${survey.surveyId}/publish/validate`);
      expect(draft).toMatchObject({ valid: true, issues: [] });
      expect(draft.warnings).toHaveLength(german.missing);

      const link = `/public/v1/links/${code}`;
      const textOf = ({ definition }: { definition: { pages: { elements: { id: string; text: string }[] }[] } }) =>
        definition.pages.flatMap(({ elements }) => elements).find(({ id }) => id === survey.ratingId)?.text;
      const before = (await people.get(`${link}?language=de`)).data;
      expect(before.survey).toMatchObject({ name: "Kleine Umfrage", shownLanguage: "de", languages: ["en", "de"] });
      expect(textOf(before)).not.toBe("Wie war es?");
      await api.post(`/surveys/${survey.surveyId}/publish`, {}, anyRevision);
      expect(textOf((await people.get(`${link}?language=de-CH`)).data)).toBe("Wie war es?");

      const { data: begun } = await people.post(`${link}/respondents`, { language: "de" });
      expect(textOf(begun)).toBe("Wie war es?");
      const own = `${link}/respondents/${begun.respondentId}`;
      const headers = { "x-respondent-token": begun.sessionToken };
      expect(textOf((await people.get(own, headers)).data)).toBe("Wie war es?");
      const answer = (value: number, metadata: object) =>
        people.call("POST", `${own}/answers`, {
          headers,
          body: { responses: [{ elementId: survey.ratingId, value }], metadata: { complete: true, ...metadata } },
        });
      await completeRespondent(api, survey, 5);
      expect(await answer(1, {})).toMatchObject({
        status: 422,
        body: { error: { details: { "responses.0.value": ["Mindestens zwei."] } } },
      });
      expect(await answer(5, {})).toMatchObject({
        status: 422,
        body: { error: { code: "quota_full", details: { name: "Fives", message: "Genug Fünfen." } } },
      });
      expect(await answer(5, { language: "en" })).toMatchObject({
        body: { error: { details: { message: "Enough fives." } } },
      });
      const responses = [{ elementId: survey.ratingId, value: 4 }];
      const metadata = { complete: false, language: "en" };
      await people.call("POST", `${own}/answers`, { headers, body: { responses, pageId: survey.pageId, metadata } });
      expect((await people.get(own, headers)).data).toMatchObject({ language: "en", definition: before.definition });
      const { data: listed } = await api.get(`/response/surveys/${survey.surveyId}/respondents`);
      expect(listed).toMatchObject([{ language: "en" }, { language: null, status: "completed" }]);
    });

    test("is unknown to other workspaces", async () => {
      const { api: other } = await shared.newWorkspace();
      const asked = { body: { "survey.name": "x" }, headers: anyRevision };
      expectRefusal(await other.call("GET", at()), 404, "survey_not_found");
      expectRefusal(await other.call("GET", `${at()}/de`), 404, "survey_not_found");
      expectRefusal(await other.call("PUT", `${at()}/de`, asked), 404, "survey_not_found");
    });
  });
}
