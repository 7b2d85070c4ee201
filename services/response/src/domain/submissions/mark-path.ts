import { findAnswerPlace, isLinear, reachedKeys, type SurveyDefinition } from "@canvass/questions";
import type { RespondentState } from "../respondents/respondent-state.ts";
import type { BatchChanges } from "./batch-changes.ts";
import { changeAnswer } from "./change-answer.ts";
import { answerValues } from "./progress.ts";

/** Marks answers off the path (contract 7.3). If the path depends on answers, `state` must hold all of them. */
export function* markPath(
  state: RespondentState,
  definition: SurveyDefinition,
  changes: BatchChanges,
): Generator<undefined, void> {
  if (isLinear(definition)) return;
  const reached = reachedKeys(definition, answerValues(state));
  for (const [answerKey, current] of state.answers) {
    yield;
    const offPath = !reached.has(answerKey);
    if (offPath === (current.offPath ?? false)) continue;
    const place = findAnswerPlace(definition, answerKey);
    if (!place) throw new Error(`the version has no place for the answer ${answerKey}`);
    changeAnswer(state, answerKey, place, { ...current, offPath }, definition, changes);
  }
}
