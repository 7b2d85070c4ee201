import { AppError } from "@canvass/errors";
import type { Sql } from "@canvass/postgres";
import { quotaKey } from "../../domain/quotas/count-quotas.ts";
import type { CountQuota } from "../../domain/quotas/judge-quotas.ts";
import { keyOf } from "../../domain/respondents/respondent-state.ts";
import { mayBeLast } from "../../domain/submissions/needed-answers.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { findQuotaCounts, lockQuotas } from "../../storage/results/quota-counts.ts";
import { quotaCounter } from "../quotas/full-quota.ts";
import type { VersionOf } from "./batch-versions.ts";
import type { LockedStates } from "./lock-states.ts";
import { refOf, type OpenSubmission } from "./open-submission.ts";

/**
 * Reads how full the quotas of a batch's surveys are. Locks those in which a respondent may complete, or has, until the
 * transaction ends, so that they hold exactly. Runs no statement without quotas.
 */
export async function readBatchQuotas(
  sql: Sql,
  submissions: readonly OpenSubmission[],
  { states }: LockedStates,
  versionOf: VersionOf,
): Promise<CountQuota> {
  const surveys = new Map<string, SurveyRef>();
  const locked = new Map<string, SurveyRef>();
  for (const submission of submissions) {
    const { workspaceId, surveyId, startsOn, body } = submission;
    const state = states.get(keyOf(refOf(submission)));
    const answered = startsOn ? { workspaceId, surveyId, versionId: startsOn.versionId } : state;
    const version = answered && versionOf(answered);
    if (!version || version instanceof AppError || !version.definition.quotas) continue;
    const key = quotaKey(answered, "");
    surveys.set(key, answered);
    if (state?.completedAt || mayBeLast(body, version.definition)) locked.set(key, answered);
  }
  if (surveys.size === 0) return () => 0;
  await lockQuotas(sql, [...locked.values()]);
  return quotaCounter(await findQuotaCounts(sql, [...surveys.values()]));
}
