import { surveyFields, surveyFieldsOf } from "@canvass/inputs";
import type { Survey } from "@canvass/proto/survey";
import { Type } from "typebox";
import { dateTime, id, named, nullable, shownAs } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { addedQuestionSchema } from "./added-question-view.ts";
import { LRUCache } from "lru-cache";

/** The survey's fields without input limits, because stored values are shown unchanged. */
const shownFields = Object.fromEntries(
  Object.entries(surveyFields).map(([name, { schema }]) => {
    const { type, description, examples } = schema as { type: string; description?: string; examples?: string[] };
    return [name, Type.Unsafe<unknown>({ type, ...(description && { description }), ...(examples && { examples }) })];
  }),
);

/** A survey as callers see it (contract 6.1). */
export const surveySchema = named("Survey", {
  id,
  ...shownFields,
  active: Type.Integer({ description: "1: it collects; 0: it does not" }),
  ownerAccountId: id,
  publishedVersion: nullable<number>("integer", { description: "null: never published" }),
  hasUnpublishedChanges: Type.Boolean(),
  questionCount: Type.Integer({ description: "questions of the draft" }),
  responseCount: Type.Integer({ description: "completed responses, without tests" }),
  createdAt: dateTime,
  updatedAt: dateTime,
  settings: shownAs("SurveySettings"),
});

/** A created survey with its questions (contract 6.2). */
export const createdSurveySchema = named("CreatedSurvey", {
  ...surveySchema.properties,
  questions: Type.Array(addedQuestionSchema),
});

export function surveyView(survey: Survey) {
  return {
    id: survey.surveyId,
    ...surveyFieldsOf(survey),
    active: survey.active ? 1 : 0,
    ownerAccountId: survey.ownerAccountId,
    publishedVersion: survey.publishedVersion || null,
    hasUnpublishedChanges: survey.hasUnpublishedChanges,
    questionCount: survey.questionCount,
    responseCount: Number(survey.responseCount),
    createdAt: isoTime(survey.createdAt),
    updatedAt: isoTime(survey.updatedAt),
    settings: settingsView(survey.settingsJson),
  };
}

const parsed = new LRUCache<string, object>({ max: 1_000 });

/** Returns a shared object; do not change it. Cached, because most surveys have equal settings. */
function settingsView(json: string): object {
  let settings = parsed.get(json);
  if (!settings) {
    settings = JSON.parse(json || "{}") as object;
    parsed.set(json, settings);
  }
  return settings;
}
