/** While a draft is edited, so much of the work is lost at most. */
const backupEveryMs = 10 * 60 * 1000;

/** Whether a draft is to be backed up before it is edited: when its newest backup (null: none) is older than ten minutes. */
export function isBackupDue(newest: Date | null, { createdAt }: { createdAt: number }, now: Date): boolean {
  // A new survey has nothing to lose yet.
  return now.getTime() - (newest?.getTime() ?? createdAt) >= backupEveryMs;
}
