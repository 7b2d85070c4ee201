import type { Sql } from "@canvass/postgres";
import type { PrismaClient } from "../../gen/prisma/client.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { DRAFT_DIGEST } from "./draft-digest.ts";
import { definitionSql, keepDefinitionSql } from "./kept-definitions.ts";

export interface VersionRef extends SurveyRef {
  versionId: string;
}

/** `language` is a canonical tag; empty: no translations. */
export interface LanguageRef extends VersionRef {
  language: string;
}

export interface FoundVersion {
  /** Index of its reference in the request, from 0. */
  index: number;
  versionId: string;
  versionNumber: number;
  languages: string[];
  /** Null if it does not fit into the size limit after the definitions before it. */
  definitionJson: string | null;
}

export interface NewVersion extends VersionRef {
  versionNumber: number;
  /** As JSON. */
  definition: string;
  /** Of the JSON without translations. */
  definitionBytes: number;
  languages: readonly string[];
  questionCount: number;
  note: string;
  publishedBy: string;
  publishedAt: Date;
}

/** Reads definitions up to the size limit `$4`, but always the first one. */
const FIND = `SELECT f.position::int4 - 1 AS index, f.version_id AS "versionId", f.version_number AS "versionNumber", f.languages,
  CASE WHEN f.before = 0 OR f.before + f.definition_bytes <= $4 THEN ${definitionSql("f", "f.language")}::text END AS "definitionJson"
FROM (
  SELECT v.workspace_id, v.survey_id, v.version_id, v.version_number, v.layout, v.languages, v.definition_bytes, wanted.language,
    wanted.position,
    sum(v.definition_bytes) OVER (ORDER BY wanted.position) - v.definition_bytes AS before
  FROM unnest($1::text[], $2::text[], $3::text[], $5::text[]) WITH ORDINALITY
    AS wanted (workspace_id, survey_id, version_id, language, position)
  JOIN versions v USING (workspace_id, survey_id, version_id)
) AS f`;

export async function findVersions(sql: Sql, refs: readonly LanguageRef[], mostBytes: number): Promise<FoundVersion[]> {
  if (refs.length === 0) return [];
  return sql.query<FoundVersion>(FIND, [
    refs.map(({ workspaceId }) => workspaceId),
    refs.map(({ surveyId }) => surveyId),
    refs.map(({ versionId }) => versionId),
    mostBytes,
    refs.map(({ language }) => language),
  ]);
}

const INSERT = keepDefinitionSql({
  definition: "SELECT $5::text::jsonb",
  published: true,
  insert: `INSERT INTO versions (workspace_id, survey_id, version_id, version_number, layout, definition_bytes, question_count, note,
  published_by, published_at, languages, digest)
SELECT $1, $2, $3, $4::int4, layout, $10::int4, $6::int4, $7, $8, $9::timestamptz, $11::text[], ${DRAFT_DIGEST} FROM layout`,
});

/** Stores the draft of a locked survey as a version. A unique index on its number rejects a second publication. */
export async function insertVersion(sql: Sql, { definition, ...version }: NewVersion): Promise<void> {
  const { workspaceId, surveyId, versionId, versionNumber, questionCount, note, publishedBy, publishedAt } = version;
  const key = [workspaceId, surveyId, versionId, versionNumber];
  const { definitionBytes, languages } = version;
  const content = [definition, questionCount, note, publishedBy, publishedAt, definitionBytes, languages];
  await sql.query(INSERT, [...key, ...content]);
}

export interface VersionSummary {
  versionId: string;
  versionNumber: number;
  note: string;
  questionCount: number;
  publishedBy: string;
  publishedAt: Date;
}

const SUMMARY = `version_id AS "versionId", version_number AS "versionNumber", note, question_count AS "questionCount",
  published_by AS "publishedBy", published_at AS "publishedAt"`;

const withoutDefinition = {
  versionId: true,
  versionNumber: true,
  note: true,
  questionCount: true,
  publishedBy: true,
  publishedAt: true,
} as const;

export function listVersions(
  { version }: Pick<PrismaClient, "version">,
  { workspaceId, surveyId }: SurveyRef,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<VersionSummary[]> {
  const older = before !== undefined && { versionNumber: { lt: before } };
  const where = { workspaceId, surveyId, ...older };
  return version.findMany({ where, select: withoutDefinition, orderBy: { versionNumber: "desc" }, take: limit });
}

const SNAPSHOT = `SELECT ${SUMMARY}, ${definitionSql("v")}::text AS "definitionJson" FROM versions v
WHERE workspace_id = $1 AND survey_id = $2 AND version_id = $3`;

export async function findVersionWithDefinition(
  sql: Sql,
  { workspaceId, surveyId, versionId }: VersionRef,
): Promise<(VersionSummary & { definitionJson: string }) | undefined> {
  const rows = await sql.query<VersionSummary & { definitionJson: string }>(SNAPSHOT, [
    workspaceId,
    surveyId,
    versionId,
  ]);
  return rows[0];
}

const FIND_SUMMARY = `SELECT ${SUMMARY} FROM versions WHERE workspace_id = $1 AND survey_id = $2 AND version_id = $3`;

export async function findVersionSummary(
  sql: Sql,
  { workspaceId, surveyId, versionId }: VersionRef,
): Promise<VersionSummary | undefined> {
  return (await sql.query<VersionSummary>(FIND_SUMMARY, [workspaceId, surveyId, versionId]))[0];
}

const FIND_ID = `SELECT version_id AS "versionId" FROM versions
WHERE workspace_id = $1 AND survey_id = $2 AND version_number = $3`;

export async function findVersionId(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  versionNumber: number,
): Promise<string | undefined> {
  return (await sql.query<{ versionId: string }>(FIND_ID, [workspaceId, surveyId, versionNumber]))[0]?.versionId;
}
