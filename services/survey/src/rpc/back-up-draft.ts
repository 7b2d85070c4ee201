import { newId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Call } from "@canvass/rpc";
import { isBackupDue } from "../domain/backup-schedule.ts";
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

/** Backs the draft up if a backup is due. Every write of a draft calls this before it changes anything. */
export async function backUpOldDraft(sql: Sql, survey: SurveyRecord, call: Call, now: Date): Promise<void> {
  if (isBackupDue(await newestBackup(sql, survey), survey, now)) await backUpDraft(sql, survey, call, "auto", now);
}
