import {
  findAnswerPlace,
  hiddenEntriesLookup,
  isLinear,
  keepWalk,
  shownKeyPredicate,
  withoutEntries,
  type SurveyDefinition,
} from "@canvass/questions";
import { type RespondentState, answerWeight } from "../respondents/respondent-state.ts";
import type { BatchChanges } from "./batch-changes.ts";
import { changeAnswer } from "./change-answer.ts";
import { answerValues } from "./known-answers.ts";

/**
 * Marks answers off the path (contract 7.3), and takes choices and rows that are not shown out of others (6.9), unless
 * `keepsEntries`. If the path depends on answers, `state` must hold all of them.
 */
export function* markPath(
  state: RespondentState,
  definition: SurveyDefinition,
  changes: BatchChanges,
  { keepsEntries = false } = {},
): Generator<undefined, void> {
  if (isLinear(definition)) return;
  const answers = keepWalk(answerValues(state));
  const isShown = shownKeyPredicate(definition, answers);
  const hidden = hiddenEntriesLookup(definition, answers);
  for (const [answerKey, current] of state.answers) {
    yield;
    const entries = hidden(answerKey);
    const left = entries ? withoutEntries(current.value, entries) : current.value;
    const offPath = !isShown(answerKey) || left === undefined;
    const value = offPath || keepsEntries ? current.value : left;
    if (offPath === (current.offPath ?? false) && value === current.value) continue;
    const place = findAnswerPlace(definition, answerKey);
    if (!place) throw new Error(`the version has no place for the answer ${answerKey}`);
    changeAnswer(state, answerKey, place, { ...current, value, offPath }, definition, changes);
    state.answerWeight += answerWeight({ value, meta: current.meta }) - answerWeight(current);
  }
}
