import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FullQuotaSchema } from "@canvass/proto/response";
import type { Quota, SurveyDefinition } from "@canvass/questions";
import type { ResponseContext } from "../../context.ts";
import { quotaKey } from "../../domain/quotas/count-quotas.ts";
import { closingQuota, type CountQuota } from "../../domain/quotas/judge-quotas.ts";
import type { RespondentState } from "../../domain/respondents/respondent-state.ts";
import { findQuotaCounts, type QuotaCount } from "../../storage/results/quota-counts.ts";

type FullQuotaMessage = MessageInitShape<typeof FullQuotaSchema>;

export const fullQuotaMessage = ({ quotaId, name, onFull, message }: Quota): FullQuotaMessage => ({
  quotaId,
  name,
  onFull,
  message: message ?? "",
});

export function quotaCounter(counts: readonly QuotaCount[]): CountQuota {
  const byKey = new Map(counts.map((count) => [quotaKey(count, count.quotaId), count.completed]));
  return (survey, quotaId) => byKey.get(quotaKey(survey, quotaId)) ?? 0;
}

/** Reads the full quota that closes a respondent's way, with its message in a language. `state` must hold all answers. */
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
