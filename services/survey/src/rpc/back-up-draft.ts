import { newId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Call } from "@canvass/rpc";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { insertBackup, newestBackup, type BackupReason, type BackupRecord } from "../storage/backups.ts";

export async function backUpDraft(
  sql: Sql,
  survey: SurveyRecord,
  { caller }: Call,
  reason: BackupReason,
  now: Date,
): Promise<BackupRecord> {
  const { questionCount } = survey;
  const backup = { backupId: newId(now), reason, questionCount, createdBy: caller.personId, createdAt: now };
  await insertBackup(sql, survey, backup);
  return backup;
}

/**
 * Backs the draft up if a backup is due. Edits of a draft call this before they change anything. Publishing, and writes
 * that replace the whole draft, call `backUpDraft`.
 */
export async function backUpOldDraft(sql: Sql, survey: SurveyRecord, call: Call, now: Date): Promise<void> {
  const newest = await newestBackup(sql, survey, now);
  if (isBackupDue(newest, survey, now)) await backUpDraft(sql, survey, call, "auto", now);
}

/** Limits how much work on a draft can be lost. */
const backupEveryMs = 10 * 60 * 1000;

function isBackupDue(newest: Date | null, { createdAt }: { createdAt: number }, now: Date): boolean {
  // A new survey has no work to lose: without a backup the time counts from its creation.
  return now.getTime() - (newest?.getTime() ?? createdAt) >= backupEveryMs;
}
