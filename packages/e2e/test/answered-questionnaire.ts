import { waitFor } from "@canvass/testing";
import { expect } from "vitest";
import type { ApiClient, Json } from "../src/index.ts";

const anyRevision = { "if-match": "*" };
const likesTea = { element: "drink", operator: "equals", value: "tea" };
const document = {
  name: "Drinks",
  language: "en",
  settings: {
    locale: { languages: ["de"] },
    display: { flow: "question", logo: "https://example.org/logo.png" },
    completion: { message: "Thank you for {{drink|coming}}" },
  },
  fields: [{ name: "customer", type: "number" }],
  quotas: [
    { name: "Tea", when: likesTea, limit: 2, onFull: "message", message: "Enough tea, {{field.customer}}." },
    { name: "Mailed", when: { field: "customer", operator: "less_than", value: 100 }, limit: 9, onFull: "end" },
  ],
  pages: [
    {
      key: "first",
      elements: [
        {
          key: "drink",
          name: "drink",
          type: "multiple_choice",
          text: "What did you drink?",
          translations: { de: { text: "Was haben Sie getrunken?" } },
          typeSettings: { shuffle: true },
          choices: [
            { key: "tea", code: "1", text: "Tea" },
            { key: "more", code: "2", text: "More", freeText: true, pinned: true },
          ],
        },
        { key: "again", name: "again", type: "yes_no", text: "Another {{drink}}?", showIf: likesTea },
      ],
    },
  ],
};

export interface AnsweredQuestionnaire {
  surveyId: string;
  /** Answers of one more respondent that the quota "Tea" counts. */
  tea: Json[];
  /** Paths of reads of the survey and its responses. */
  views: string[];
  /** Path of its link in German, which a read counts as opened. */
  opened: string;
}

/**
 * Makes a survey with names, codes, translations, logic, hidden fields and quotas. Answers it by a link, a file and the
 * API.
 */
export async function answerQuestionnaire(api: ApiClient): Promise<AnsweredQuestionnaire> {
  const { id: surveyId } = (await api.post("/surveys/import", document)).data;
  const survey = `/surveys/${surveyId}`;
  const responses = `/response${survey}`;
  await api.post(`${survey}/publish`, {}, anyRevision);
  const [drink, again] = (await api.get(`${survey}/elements?include=content`)).data as Json[];
  const [tea, more] = drink.choices.map(({ id }: Json) => id) as string[];
  const settings = { prefill: true };
  const { data: link } = await api.post(`/distribution${survey}`, { name: "Poster", settings });
  await api.post(`/distribution/${link.id}/activate`, {});
  const at = `/public/v1/links/${link.code}/respondents`;
  const { data: came } = await api.post(at, { fields: { customer: "12" }, language: "de" });
  const written = [{ elementId: drink.id, value: { choiceId: more, otherText: "Cocoa" } }];
  const session = { "x-respondent-token": came.sessionToken };
  await api.post(`${at}/${came.respondentId}/answers`, { responses: written }, session);
  const ofTea = [
    { elementId: drink.id, value: tea },
    { elementId: again.id, value: true },
  ];
  await api.post(`${responses}/batch`, { submissions: [{ responses: ofTea, fields: { customer: 13 } }] });
  const csv = "externalId,drink,again,field.customer\nold-1,Tea,,500\n";
  const sent = await api.call("POST", `${responses}/import`, { body: csv, headers: { "content-type": "text/csv" } });
  expect(sent.status).toBe(202);
  const imported = `/response/imports/${sent.data.id}`;
  const done = async () => (await api.get(imported)).data.status === "completed";
  await waitFor(done, { describe: "the import", timeoutMs: 60_000 });
  expect((await api.get(imported)).data).toMatchObject({ imported: 1, failed: 0 });
  const counts = (await api.get(`${survey}/quotas`)).data.quotas.map(({ count }: Json) => count);
  expect(counts).toEqual([2, 2]);
  const ofSurvey = [
    "",
    "/translations",
    "/translations/de",
    "/fields",
    "/quotas",
    "/pages",
    "/versions",
    "/draft/backups",
  ];
  const ofResponses = ["", "/aggregation", "/respondents?include=answers", "/respondents?field.customer=12"];
  const views = [
    ...ofSurvey.map((path) => survey + path),
    `${survey}/elements?include=content`,
    ...ofResponses.map((path) => responses + path),
    `/distribution/${link.id}`,
    imported,
  ];
  return { surveyId, tea: ofTea, views, opened: `/public/v1/links/${link.code}?language=de` };
}
