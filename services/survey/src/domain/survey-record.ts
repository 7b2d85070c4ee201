import type { SurveyFields } from "@canvass/inputs";

export interface SurveyRecord extends SurveyFields {
  workspaceId: string;
  surveyId: string;
  active: boolean;
  ownerAccountId: string;
  /** JSON of the chosen settings; passwords are hashed. */
  settingsJson: string;
  revision: number;
  questionCount: number;
  /** 0 until the first publication. */
  publishedVersion: number;
  publishedVersionId: string | null;
  draftChanged: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
  draftEditedAt: number;
  /** Completed responses that are not tests. */
  responseCount: bigint;
}
