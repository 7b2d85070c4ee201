import { AppError } from "@canvass/errors";
import { decidedQuotas, matchingQuotas, type Answers, type Quota, type SurveyDefinition } from "@canvass/questions";
import type { RespondentState } from "../respondents/respondent-state.ts";
import type { BatchChanges } from "../submissions/batch-changes.ts";
import { answerValues } from "../submissions/known-answers.ts";
import type { Wording } from "../submissions/wording.ts";
import type { SurveyRef } from "../survey-ref.ts";
import { quotaKey } from "../results/counters.ts";

/** Returns the number of completed respondents in a quota, without the changes of the batch. */
export type CountQuota = (survey: SurveyRef, quotaId: string) => number;

export interface JudgedQuotas {
  left: readonly Quota[];
  entered: readonly Quota[];
  /** The first full quota, if no later page can change that. The respondent cannot complete. */
  full?: Quota;
}

interface Submitted {
  /** The answers if the submission is stored. */
  after: Answers;
  completes: boolean;
  visit: string | null | undefined;
}

interface Judging {
  definition: SurveyDefinition;
  countQuota: CountQuota;
  /** Renders the message of a full quota. */
  wording: Pick<Wording, "ofQuota">;
}

const none: readonly Quota[] = [];

/**
 * Returns the quotas that a submission makes a respondent enter and leave. Before completion there are none. Throws
 * `quota_full` instead of entering a full one, unless that ends the respondent. `state` must hold all answers from
 * before the submission, unless the submission does not complete it and no quota is full.
 */
export function judgeQuotas(
  state: RespondentState,
  { after, completes, visit }: Submitted,
  { definition, countQuota, wording }: Judging,
  { quotas: counts }: BatchChanges,
): JudgedQuotas {
  if (!definition.quotas || state.isTest) return { left: none, entered: none };
  const isFull = ({ quotaId, limit }: Quota) =>
    countQuota(state, quotaId) + (counts.get(quotaKey(state, quotaId))?.completed ?? 0) >= limit;
  const isCompleted = state.completedAt !== null;
  if (!completes && !isCompleted) {
    // Without a full one the answers that are needed may not have been read.
    const full = definition.quotas.some(isFull) && decidedQuotas(definition, after, visit ?? "").find(isFull);
    return { left: none, entered: none, ...(full && { full: wording.ofQuota(full) }) };
  }
  const before = isCompleted ? matchingQuotas(definition, answerValues(state)) : none;
  const matching = matchingQuotas(definition, after);
  const entered = matching.filter((quota) => !before.includes(quota));
  const found = entered.find(isFull);
  const full = found && wording.ofQuota(found);
  if (full && (isCompleted || full.onFull !== "end")) throw quotaFull(full);
  if (full) return { left: none, entered: none, full };
  return { left: before.filter((quota) => !matching.includes(quota)), entered };
}

/**
 * Returns the full quota that keeps a respondent from completing with its stored answers, or that has screened it out
 * (contract 6.20). `state` must have all answers.
 */
export function closingQuota(
  state: RespondentState,
  definition: SurveyDefinition,
  countQuota: CountQuota,
): Quota | undefined {
  if (state.isTest || state.completedAt !== null) return undefined;
  const answers = answerValues(state);
  if (state.isScreenedOut) return matchingQuotas(definition, answers).find(({ onFull }) => onFull === "end");
  const isFull = ({ quotaId, limit }: Quota) => countQuota(state, quotaId) >= limit;
  return decidedQuotas(definition, answers, state.pageId).find(isFull);
}

function quotaFull({ quotaId, name, onFull, message }: Quota): AppError {
  return new AppError("quota_full", { quotaId, name, onFull, message });
}
