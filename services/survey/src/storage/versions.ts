import type { Sql } from "@canvass/postgres";
import type { SurveyDefinition } from "@canvass/questions";
import type { Prisma } from "../../gen/prisma/client.ts";
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

/** Stores a version. Its number must be free: the unique index keeps two publications apart. */
export async function insertVersion(
  tx: Prisma.TransactionClient,
  { definition, ...version }: NewVersion,
): Promise<void> {
  // A definition is plain JSON; its type says more than an index signature can.
  await tx.version.createMany({ data: [{ ...version, definition: definition as unknown as Prisma.InputJsonObject }] });
}
