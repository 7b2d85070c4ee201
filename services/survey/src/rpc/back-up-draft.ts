import { newId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Call } from "@canvass/rpc";
import { isBackupDue } from "../domain/backup-schedule.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { insertBackup, newestBackup, type BackupReason, type BackupRecord } from "../storage/backups.ts";

/** Backs the draft of a locked survey up as it is. */
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

/** For every write of a draft, before it: backs the draft up when it is time. */
export async function backUpOldDraft(sql: Sql, survey: SurveyRecord, call: Call, now: Date): Promise<void> {
  if (isBackupDue(await newestBackup(sql, survey), survey, now)) await backUpDraft(sql, survey, call, "auto", now);
}
