import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import type { Sql } from "@canvass/postgres";
import type { FullQuotaSchema } from "@canvass/proto/response";
import type { Quota, SurveyDefinition } from "@canvass/questions";
import type { ResponseContext } from "../../context.ts";
import { quotaKey } from "../../domain/results/counters.ts";
import { closingQuota, type CountQuota } from "../../domain/quotas/judge-quotas.ts";
import { keyOf, type RespondentState } from "../../domain/respondents/respondent-state.ts";
import { mayBeLast } from "../../domain/submissions/needed-answers.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { findQuotaCounts, lockQuotas, type QuotaCount } from "../../storage/results/quota-counts.ts";
import type { VersionOf } from "../submissions/batch-versions.ts";
import { refOf, type OpenSubmission } from "../submissions/open-submission.ts";

type FullQuotaMessage = MessageInitShape<typeof FullQuotaSchema>;

export const fullQuotaMessage = ({ quotaId, name, onFull, message }: Quota): FullQuotaMessage => ({
  quotaId,
  name,
  onFull,
  message: message ?? "",
});

function quotaCounter(counts: readonly QuotaCount[]): CountQuota {
  const byKey = new Map(counts.map((count) => [quotaKey(count, count.quotaId), count.completed]));
  return (survey, quotaId) => byKey.get(quotaKey(survey, quotaId)) ?? 0;
}

/**
 * Locks the quotas of the surveys in which a respondent of the batch may complete or has completed, until the
 * transaction ends, so that they hold exactly. Then reads the counts of all quotas of the batch. Without quotas, runs
 * no statement.
 */
export async function lockBatchQuotas(
  sql: Sql,
  submissions: readonly OpenSubmission[],
  states: ReadonlyMap<string, RespondentState>,
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

/**
 * Returns the full quota that keeps a respondent from completing or has screened it out, with its message in a
 * language. `state` must hold all answers.
 */
export async function readClosingQuota(
  { database, surveys }: ResponseContext,
  state: RespondentState,
  definition: SurveyDefinition,
  language: string,
): Promise<FullQuotaMessage | undefined> {
  if (!definition.quotas) return undefined;
  const countQuota = quotaCounter(await findQuotaCounts(database.sql, [state]));
  const quota = closingQuota(state, definition, countQuota);
  if (!quota) return undefined;
  const { definition: translated } = await surveys.version(state, language);
  return fullQuotaMessage(translated.quotas?.find(({ quotaId }) => quotaId === quota.quotaId) ?? quota);
}
