import type { SurveyRecord } from "../domain/survey-record.ts";

/** A negative count (an erasure counted before its completion) is 0. Milliseconds are read faster than dates. */
export const SURVEY_COLUMNS = `s.workspace_id AS "workspaceId", s.survey_id AS "surveyId", s.name, s.description, s.language,
  s.type, s.active, s.owner_account_id AS "ownerAccountId", s.settings::text AS "settingsJson", s.revision,
  s.question_count AS "questionCount", s.published_version AS "publishedVersion",
  s.published_version_id AS "publishedVersionId", s.draft_changed AS "draftChanged",
  date_part('epoch', s.created_at) * 1000 AS "createdAt", date_part('epoch', s.updated_at) * 1000 AS "updatedAt",
  date_part('epoch', s.draft_edited_at) * 1000 AS "draftEditedAt", greatest(c.response_count, 0) AS "responseCount"`;

/** A row as the driver returns it: int8 is text. */
export type SurveyRow = Omit<SurveyRecord, "responseCount"> & { responseCount: string };

export function toSurveyRecord<Row extends SurveyRow>(row: Row): Row & SurveyRecord {
  // Assigns in place: copying all columns is a notable cost of a single read.
  return Object.assign(row, {
    // 1763670385.123 * 1000 is not an integer in floating point.
    createdAt: Math.round(row.createdAt),
    updatedAt: Math.round(row.updatedAt),
    draftEditedAt: Math.round(row.draftEditedAt),
    responseCount: BigInt(row.responseCount),
  });
}
