import { respondentStatuses } from "@canvass/inputs";
import type { Respondent } from "@canvass/proto/response";
import { Type } from "typebox";
import { dateTime, id, named, nullableText, words } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { answerSchema, answerText } from "./answer-view.ts";

export const orderSeed = Type.Union([Type.Integer(), Type.Null()], {
  description: "seed of the shuffled orders that the respondent sees (6.23); null if none is stored",
});

export const fieldValues = Type.Unsafe<object>({
  type: "object",
  additionalProperties: true,
  description: "values of hidden fields",
});

/** The response to starting a respondent (contract 7.1). */
export const startedRespondentSchema = named("StartedRespondent", {
  respondentId: id,
  status: words(respondentStatuses),
  versionNumber: Type.Integer({ description: "the version that the respondent stays on" }),
  startedAt: dateTime,
  orderSeed,
  ignored: Type.Integer({ description: "number of values of `fields` that were not stored" }),
});

export const respondentSchema = named("Respondent", {
  respondentId: id,
  surveyId: id,
  status: words(respondentStatuses),
  versionNumber: Type.Integer(),
  progress: named("Progress", {
    pageId: { ...nullableText, description: "the last page that was saved" },
    percentComplete: Type.Integer({ description: "percentage of the reachable questions that are answered, 0 to 100" }),
  }),
  startedAt: dateTime,
  completedAt: { ...nullableText, description: "date-time; only the day on a survey with full anonymity" },
  isTest: Type.Boolean({ description: "started with a test token; excluded from results" }),
  language: nullableText,
  distributorId: nullableText,
  contactId: nullableText,
  orderSeed,
  source: Type.String({ enum: ["collected", "import"], description: "`import`: created by an import (7.22)" }),
  externalId: { ...nullableText, description: "its id in the system from which it was imported" },
  metadata: Type.Unsafe<object>({ type: "object", additionalProperties: true, description: "given at the start" }),
  fields: fieldValues,
  answers: Type.Optional(
    Type.Array(answerSchema, { description: "with `include=answers`, in the order of their times" }),
  ),
});

export function startedRespondentView(respondent: Respondent, ignored: number) {
  const { respondentId, status, versionNumber, startedAt, orderSeed: seed } = respondent;
  return { respondentId, status, versionNumber, startedAt: isoTime(startedAt), orderSeed: seed || null, ignored };
}

export function respondentText(respondent: Respondent, withAnswers: boolean): string {
  const { respondentId, surveyId, status, versionNumber, startedAt, completedAt, pageId, percentComplete } = respondent;
  const { isTest, language, distributorId, contactId, metadataJson, fieldsJson, answers } = respondent;
  const fields = JSON.stringify({
    respondentId,
    surveyId,
    status,
    versionNumber,
    progress: { pageId: pageId || null, percentComplete },
    startedAt: isoTime(startedAt),
    completedAt: completedAt || null,
    isTest,
    language: language || null,
    distributorId: distributorId || null,
    contactId: contactId || null,
    orderSeed: respondent.orderSeed || null,
    source: respondent.isImported ? "import" : "collected",
    externalId: respondent.externalId || null,
  });
  const given = withAnswers ? `,"answers":[${answers.map((each) => answerText(surveyId, each)).join(",")}]` : "";
  return `${fields.slice(0, -1)},"metadata":${metadataJson || "{}"},"fields":${fieldsJson || "{}"}${given}}`;
}
