import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { hash } from "node:crypto";
import { entityTag } from "@canvass/values";
import { SurveySchema, type Survey } from "@canvass/proto/survey";
import { settingsForCallers } from "../domain/rendered-settings.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";

/** The entity tag of a survey as it is. */
export function surveyTag({ surveyId, revision }: SurveyRecord): string {
  return entityTag("survey", surveyId, revision);
}

/** Another one in a release that knows other fields of a survey or other settings. */
export const shownBy = hash(
  "sha256",
  JSON.stringify([SurveySchema.fields.map(({ name }) => name), settingsForCallers("{}")]),
).slice(0, 8);

/** A survey as callers read it. Hot: behind a spread, V8 adds each further name by a slow call. */
export function toSurveyMessage(survey: SurveyRecord): Survey {
  const { surveyId, name, description, language, type, active, ownerAccountId, questionCount, responseCount } = survey;
  return {
    $typeName: "canvass.survey.v1.Survey",
    surveyId,
    name,
    description,
    language,
    type,
    active,
    ownerAccountId,
    settingsJson: settingsForCallers(survey.settingsJson),
    publishedVersion: survey.publishedVersion,
    hasUnpublishedChanges: survey.draftChanged,
    questionCount,
    responseCount,
    createdAt: timestampFromMs(survey.createdAt),
    updatedAt: timestampFromMs(survey.updatedAt),
    etag: surveyTag(survey),
  };
}
