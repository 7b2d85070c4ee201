import type { Sql } from "@canvass/postgres";
import type { PrismaClient } from "../../gen/prisma/client.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { PAGE_JSON } from "./page-columns.ts";
import { QUESTION_JSON } from "./question-columns.ts";
import { DRAFT_LISTS } from "./survey-lists.ts";
import { changeKeptBytesSql, deleteUnusedQuestions, keepDefinitionSql } from "./kept-definitions.ts";

export type BackupReason = "auto" | "manual" | "before_publish" | "before_restore";

export interface BackupRecord {
  backupId: string;
  reason: string;
  questionCount: number;
  createdBy: string;
  createdAt: Date;
}

export const mostBackups = 30;

/** Copies the draft inside the database, so that no process has to read it, however long it is. */
const DRAFT = `SELECT (${DRAFT_LISTS}) || jsonb_build_object('pages', coalesce(jsonb_agg(p.page ORDER BY p.sort_order), '[]'))
FROM (
  SELECT p.sort_order, ${PAGE_JSON} || jsonb_build_object('elements', (
      SELECT coalesce(jsonb_agg(${QUESTION_JSON}
        ORDER BY e.sort_order), '[]')
      FROM elements e WHERE (e.workspace_id, e.survey_id, e.page_id) = (p.workspace_id, p.survey_id, p.page_id)
    )) AS page
  FROM pages p WHERE p.workspace_id = $1 AND p.survey_id = $2
) p`;

const NEWEST_FIRST = "ORDER BY created_at DESC, backup_id DESC";

const INSERT = keepDefinitionSql({
  definition: DRAFT,
  published: false,
  insert: `INSERT INTO backups (workspace_id, survey_id, backup_id, reason, question_count, created_by, created_at, layout)
SELECT $1, $2, $3, $4, $5::int4, $6, $7::timestamptz, layout FROM layout
WHERE NOT $8::boolean OR layout IS DISTINCT FROM
  (SELECT b.layout FROM backups b WHERE b.workspace_id = $1 AND b.survey_id = $2 ${NEWEST_FIRST} LIMIT 1)`,
});

/**
 * Whether a backup was not made after `$3`, but for what clocks of processes may differ. A later one is from before the
 * clock was set back.
 */
const NOT_AHEAD = "created_at <= $3::timestamptz + interval '10 seconds'";

/** A statement that deletes backups. It returns no row if it deletes none. */
const deleting = (which: string) => `WITH deleted AS (
  DELETE FROM backups WHERE workspace_id = $1 AND survey_id = $2 AND ${which} RETURNING octet_length(layout::text) AS bytes
)
${changeKeptBytesSql("- (SELECT sum(bytes) FROM deleted)")} AND EXISTS (SELECT FROM deleted) RETURNING true`;

const DELETE_OLDEST = deleting(`backup_id IN (
  SELECT backup_id FROM backups WHERE workspace_id = $1 AND survey_id = $2
  ORDER BY ${NOT_AHEAD} DESC, created_at DESC, backup_id DESC OFFSET ${mostBackups}
)`);

const DELETE_SPARE = deleting("reason <> 'manual' AND backup_id IS DISTINCT FROM $3");

/** Reasons of backups that are skipped if the newest backup holds the same draft. */
const automaticReasons: readonly string[] = ["auto", "before_publish"] satisfies BackupReason[];

/** Stores a backup and keeps only the newest ones. The transaction must have locked the survey. */
export async function insertBackup(sql: Sql, ref: SurveyRef, backup: BackupRecord): Promise<void> {
  const { backupId, reason, questionCount, createdBy, createdAt } = backup;
  const key = [ref.workspaceId, ref.surveyId];
  const columns = [backupId, reason, questionCount, createdBy, createdAt];
  await sql.query(INSERT, [...key, ...columns, automaticReasons.includes(reason)]);
  const deleted = await sql.query(DELETE_OLDEST, [...key, createdAt]);
  if (deleted.length > 0) await deleteUnusedQuestions(sql, ref);
}

/** Deletes all backups but the manual ones and `keptBackupId`. The transaction must have locked the survey. */
export async function deleteSpareBackups(sql: Sql, ref: SurveyRef, keptBackupId: string | null): Promise<void> {
  const deleted = await sql.query(DELETE_SPARE, [ref.workspaceId, ref.surveyId, keptBackupId]);
  if (deleted.length > 0) await deleteUnusedQuestions(sql, ref);
}

const withoutDraft = { backupId: true, reason: true, questionCount: true, createdBy: true, createdAt: true } as const;

export function listBackups(
  { backup }: Pick<PrismaClient, "backup">,
  { workspaceId, surveyId }: SurveyRef,
): Promise<BackupRecord[]> {
  const orderBy = [{ createdAt: "desc" as const }, { backupId: "desc" as const }];
  return backup.findMany({ where: { workspaceId, surveyId }, select: withoutDraft, orderBy });
}

const FIND = `SELECT question_count AS "questionCount" FROM backups WHERE workspace_id = $1 AND survey_id = $2 AND backup_id = $3`;

export async function findBackup(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  backupId: string,
): Promise<Pick<BackupRecord, "questionCount"> | undefined> {
  return (await sql.query<Pick<BackupRecord, "questionCount">>(FIND, [workspaceId, surveyId, backupId]))[0];
}

const NEWEST = `SELECT max(created_at) AS newest FROM backups
WHERE workspace_id = $1 AND survey_id = $2 AND ${NOT_AHEAD}`;

/** Returns the time of the newest backup; ignores those from before the clock was set back. */
export async function newestBackup(sql: Sql, { workspaceId, surveyId }: SurveyRef, now: Date): Promise<Date | null> {
  return (await sql.query<{ newest: Date | null }>(NEWEST, [workspaceId, surveyId, now]))[0]!.newest;
}
