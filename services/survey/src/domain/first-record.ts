import type { SurveyFields } from "@canvass/inputs";
import type { SurveyRecord } from "./survey-record.ts";

type Given = Pick<SurveyRecord, "workspaceId" | "surveyId" | "ownerAccountId" | "settingsJson" | "questionCount">;

/** Returns the record of a new survey: a draft that was never published. */
export function firstRecord(given: Given & SurveyFields, now: Date): SurveyRecord {
  return {
    ...given,
    active: false,
    revision: 1,
    publishedVersion: 0,
    publishedVersionId: null,
    draftChanged: true,
    createdAt: now.getTime(),
    updatedAt: now.getTime(),
    draftEditedAt: now.getTime(),
    responseCount: 0n,
  };
}
