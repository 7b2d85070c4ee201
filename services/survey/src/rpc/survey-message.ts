import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { hash } from "node:crypto";
import { surveyFieldsOf } from "@canvass/inputs";
import { entityTag } from "@canvass/values";
import { SurveySchema, type Survey } from "@canvass/proto/survey";
import { settingsForCallers } from "../domain/rendered-settings.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";

export function surveyTag({ surveyId, revision }: SurveyRecord): string {
  return entityTag("survey", surveyId, revision);
}

/** Identifies the fields and settings that this release renders; differs in a release that knows others. */
export const renderingDigest = hash(
  "sha256",
  JSON.stringify([SurveySchema.fields.map(({ name }) => name), settingsForCallers("{}")]),
).slice(0, 8);

/** The survey's own fields come last, because V8 adds properties after a spread slowly. */
export function toSurveyMessage(survey: SurveyRecord): Survey {
  const { surveyId, active, ownerAccountId, questionCount, responseCount } = survey;
  return {
    $typeName: "canvass.survey.v1.Survey",
    surveyId,
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
    ...surveyFieldsOf(survey),
  };
}
