import type { Sql } from "@canvass/postgres";
import { nameKey } from "../domain/name-key.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { DRAFT_DIGEST } from "./draft-digest.ts";

const INSERT = `WITH counted AS (
  INSERT INTO response_counts (workspace_id, survey_id, response_count) SELECT $1, $2, $19::int8
)
INSERT INTO surveys (workspace_id, survey_id, name, name_key, description, language, type, active, settings, revision,
  question_count, published_version, published_version_id, draft_changed, updated_at, draft_edited_at, created_at,
  owner_account_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`;

const UPDATE = `UPDATE surveys SET name = $3, name_key = $4, description = $5, language = $6, type = $7, active = $8,
  settings = $9, revision = $10, question_count = $11, published_version = $12, published_version_id = $13,
  draft_changed = CASE WHEN $17::bool AND $13::text IS NOT NULL THEN ${DRAFT_DIGEST} IS DISTINCT FROM (
    SELECT digest FROM versions WHERE workspace_id = $1 AND survey_id = $2 AND version_id = $13
  ) ELSE $14::bool END,
  updated_at = $15, draft_edited_at = $16
WHERE workspace_id = $1 AND survey_id = $2
RETURNING draft_changed AS "draftChanged"`;

export async function insertSurvey(sql: Sql, survey: SurveyRecord): Promise<void> {
  const { createdAt, ownerAccountId, responseCount } = survey;
  await sql.query(INSERT, [...changeable(survey), new Date(createdAt), ownerAccountId, String(responseCount)]);
}

export type SurveyChanges = Partial<
  Omit<
    SurveyRecord,
    "workspaceId" | "surveyId" | "ownerAccountId" | "revision" | "createdAt" | "updatedAt" | "responseCount"
  >
>;

/** `draftChanged: true` marks a stored write of the draft: the database decides whether it differs from the version. */
export async function saveSurvey(
  sql: Sql,
  survey: SurveyRecord,
  changes: SurveyChanges,
  now: Date,
): Promise<SurveyRecord> {
  const edited = changes.draftChanged && { draftEditedAt: now.getTime() };
  const updated = { ...survey, ...edited, ...changes, revision: survey.revision + 1, updatedAt: now.getTime() };
  const isEdit = changes.draftChanged ?? false;
  const [row] = await sql.query<Pick<SurveyRecord, "draftChanged">>(UPDATE, [...changeable(updated), isEdit]);
  return { ...updated, ...row };
}

/** Returns a survey's key and its mutable columns, in the order of the parameters of both statements. */
function changeable(survey: SurveyRecord): unknown[] {
  return [
    survey.workspaceId,
    survey.surveyId,
    survey.name,
    nameKey(survey.name),
    survey.description,
    survey.language,
    survey.type,
    survey.active,
    survey.settingsJson,
    survey.revision,
    survey.questionCount,
    survey.publishedVersion,
    survey.publishedVersionId,
    survey.draftChanged,
    new Date(survey.updatedAt),
    new Date(survey.draftEditedAt),
  ];
}
