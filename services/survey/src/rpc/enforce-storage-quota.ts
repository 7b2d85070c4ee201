import type { Sql } from "@canvass/postgres";
import type { Call } from "@canvass/rpc";
import { isStorageWithin, planNamed, requireStorageQuota } from "../domain/plan-rules.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { deleteSpareBackups } from "../storage/backups.ts";
import { countStorage } from "../storage/workspace-storage.ts";

/**
 * The last step of every write of a survey. Deletes backups that are not manual before it refuses added bytes (contract
 * 4.10).
 */
export async function enforceStorageQuota(
  sql: Sql,
  survey: SurveyRef,
  { caller }: Pick<Call, "caller">,
  keptBackupId: string | null = null,
): Promise<void> {
  const plan = planNamed(caller.plan);
  const first = await countStorage(sql, survey);
  if (!first || first.added <= 0 || isStorageWithin(first.bytes, plan)) return;
  await deleteSpareBackups(sql, survey, keptBackupId);
  const second = await countStorage(sql, survey);
  const { bytes } = second ?? first;
  if (first.added + (second?.added ?? 0) > 0) requireStorageQuota(bytes, plan);
}
