import { askedElements } from "../conditions/tree.ts";
import type { SurveyDefinition } from "../definition.ts";
import { findElement } from "../definition-index.ts";
import { conditionEvaluator, nextPageIndex, type Answers } from "../logic.ts";
import type { Quota } from "./quota.ts";

const none: readonly Quota[] = [];

/** Returns the quotas whose condition the answers fulfil. Answers off the path do not count (contract 6.20). */
export function matchingQuotas(definition: SurveyDefinition, answers: Answers): readonly Quota[] {
  const { quotas = none } = definition;
  if (quotas.length === 0) return none;
  const holds = conditionEvaluator(definition, answers);
  return quotas.filter(({ when }) => holds(when));
}

/**
 * Returns the matching quotas that no later page can change: all questions of their conditions are on pages before the
 * one that follows `visit` (see `findVisitedPage`). None if the path does not reach `visit`.
 */
export function decidedQuotas(definition: SurveyDefinition, answers: Answers, visit: string): readonly Quota[] {
  const matching = matchingQuotas(definition, answers);
  if (matching.length === 0) return none;
  const next = nextPageIndex(definition, answers, visit);
  if (next === undefined) return none;
  return matching.filter(({ when }) =>
    [...askedElements(when)].every((elementId) => findElement(definition, elementId)!.pageIndex < next),
  );
}
