import type { Sql } from "@canvass/postgres";
import type { Call } from "@canvass/rpc";
import { isStorageWithin, planNamed, requireStorageQuota } from "../domain/plan-rules.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { deleteSpareBackups } from "../storage/backups.ts";
import { countStorage } from "../storage/workspace-storage.ts";

/**
 * For every write of a survey, as its last step: counts what the survey holds now, and judges what the workspace holds by
 * the plan. Beyond it the survey's backups that nobody made by hand are given up, but the one named; when that is not
 * enough, throws `quota_exceeded`. A write that makes the workspace smaller is never refused (contract 4.10).
 */
export async function settleStorage(
  sql: Sql,
  survey: SurveyRef,
  { caller }: Call,
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
