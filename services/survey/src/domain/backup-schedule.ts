/** Limits how much work on a draft can be lost. */
const backupEveryMs = 10 * 60 * 1000;

export function isBackupDue(newest: Date | null, { createdAt }: { createdAt: number }, now: Date): boolean {
  // A new survey has no work to lose, so its age counts from its creation.
  return now.getTime() - (newest?.getTime() ?? createdAt) >= backupEveryMs;
}
