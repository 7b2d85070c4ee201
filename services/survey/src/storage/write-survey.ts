import type { Sql } from "@canvass/postgres";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { DRAFT_DIGEST } from "./draft-digest.ts";
import { changedColumns, fixedColumns, keyColumns } from "./survey-columns.ts";

const updated = [...keyColumns, ...changedColumns];
const inserted = [...updated, ...fixedColumns];

const parameter = (column: string): string => `$${inserted.findIndex(({ name }) => name === column) + 1}`;

const INSERT = `WITH counted AS (
  INSERT INTO response_counts (workspace_id, survey_id, response_count) SELECT $1, $2, $${inserted.length + 1}::int8
)
INSERT INTO surveys (${inserted.map(({ name }) => name).join(", ")})
VALUES (${inserted.map(({ name }) => parameter(name)).join(", ")})`;

const IS_EDIT = `$${updated.length + 1}::bool`;
const DRAFT_CHANGED = `CASE WHEN ${IS_EDIT} AND ${parameter("published_version_id")}::text IS NOT NULL THEN
  ${DRAFT_DIGEST} IS DISTINCT FROM (
    SELECT digest FROM versions
    WHERE workspace_id = $1 AND survey_id = $2 AND version_id = ${parameter("published_version_id")}
  ) ELSE ${parameter("draft_changed")}::bool END`;
const assignments = changedColumns.map(
  ({ name }) => `${name} = ${name === "draft_changed" ? DRAFT_CHANGED : parameter(name)}`,
);

const UPDATE = `UPDATE surveys SET ${assignments.join(", ")}
WHERE workspace_id = $1 AND survey_id = $2
RETURNING draft_changed AS "draftChanged"`;

export async function insertSurvey(sql: Sql, survey: SurveyRecord): Promise<void> {
  await sql.query(INSERT, [...inserted.map(({ value }) => value(survey)), String(survey.responseCount)]);
}

export type SurveyChanges = Partial<
  Omit<
    SurveyRecord,
    "workspaceId" | "surveyId" | "ownerAccountId" | "revision" | "createdAt" | "updatedAt" | "responseCount"
  >
>;

/**
 * Pass `draftChanged: true` after a write of the draft. The database then decides whether the draft differs from the
 * published version.
 */
export async function saveSurvey(
  sql: Sql,
  survey: SurveyRecord,
  changes: SurveyChanges,
  now: Date,
): Promise<SurveyRecord> {
  const edited = changes.draftChanged && { draftEditedAt: now.getTime() };
  const next = { ...survey, ...edited, ...changes, revision: survey.revision + 1, updatedAt: now.getTime() };
  const isEdit = changes.draftChanged ?? false;
  const values = [...updated.map(({ value }) => value(next)), isEdit];
  const [row] = await sql.query<Pick<SurveyRecord, "draftChanged">>(UPDATE, values);
  return { ...next, ...row };
}
