import type { Sql } from "@canvass/postgres";
import type { SurveyDefinition } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";

export interface VersionRef extends SurveyRef {
  versionId: string;
}

/** A published version, without the notes about its publication. */
export interface PublishedVersion extends VersionRef {
  versionNumber: number;
  definitionJson: string;
}

/** What freezing a draft stores. */
export interface NewVersion extends VersionRef {
  versionNumber: number;
  definition: SurveyDefinition;
  questionCount: number;
  note: string;
  publishedBy: string;
  publishedAt: Date;
}

const FIND = `SELECT v.workspace_id AS "workspaceId", v.survey_id AS "surveyId", v.version_id AS "versionId",
  v.version_number AS "versionNumber", v.definition::text AS "definitionJson"
FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted (workspace_id, survey_id, version_id)
JOIN versions v USING (workspace_id, survey_id, version_id)`;

const EQUALS = `SELECT definition = $4::jsonb AS "isEqual" FROM versions
WHERE workspace_id = $1 AND survey_id = $2 AND version_id = $3`;

/** Reads versions with one statement, in any order; those that do not exist are left out. Name each only once. */
export async function findVersions(sql: Sql, refs: readonly VersionRef[]): Promise<PublishedVersion[]> {
  if (refs.length === 0) return [];
  return sql.query<PublishedVersion>(FIND, [
    refs.map(({ workspaceId }) => workspaceId),
    refs.map(({ surveyId }) => surveyId),
    refs.map(({ versionId }) => versionId),
  ]);
}

/** True when a version froze exactly this definition. */
export async function isVersionEqual(
  sql: Sql,
  { workspaceId, surveyId, versionId }: VersionRef,
  definition: SurveyDefinition,
): Promise<boolean> {
  const [row] = await sql.query<{ isEqual: boolean }>(EQUALS, [
    workspaceId,
    surveyId,
    versionId,
    JSON.stringify(definition),
  ]);
  return row?.isEqual ?? false;
}

const INSERT = `INSERT INTO versions (workspace_id, survey_id, version_id, version_number, definition, question_count, note,
  published_by, published_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** Stores a version. Its number must be free: the unique index keeps two publications apart. */
export async function insertVersion(sql: Sql, { definition, ...version }: NewVersion): Promise<void> {
  const { workspaceId, surveyId, versionId, versionNumber, questionCount, note, publishedBy, publishedAt } = version;
  const definitionJson = JSON.stringify(definition);
  const key = [workspaceId, surveyId, versionId, versionNumber];
  await sql.query(INSERT, [...key, definitionJson, questionCount, note, publishedBy, publishedAt]);
}
