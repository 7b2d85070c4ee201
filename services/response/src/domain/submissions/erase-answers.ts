import { findAnswerPlace, matchingQuotas, type SurveyDefinition } from "@canvass/questions";
import { countQuotas } from "../results/counters.ts";
import { keyOf, type RespondentState, answerWeight } from "../respondents/respondent-state.ts";
import type { BatchChanges } from "./batch-changes.ts";
import { changeAnswer } from "./change-answer.ts";
import { answerValues } from "./known-answers.ts";
import { markPath } from "./mark-path.ts";

/**
 * Removes and uncounts personal answers and returns how many. Marks answers that are off the path without them, which
 * keep all their choices. Empties hidden fields in `state` only: `unlinkRespondents` clears the stored ones. `state` must
 * hold all answers.
 */
export function* erasePersonalAnswers(
  state: RespondentState,
  definition: SurveyDefinition,
  changes: BatchChanges,
): Generator<undefined, number> {
  let erased = 0;
  const isCounted = state.completedAt !== null && !state.isTest;
  const quotas = () => (isCounted ? matchingQuotas(definition, answerValues(state)) : []);
  const filled = quotas();
  state.fields = {};
  for (const [answerKey, answer] of state.answers) {
    yield;
    const place = findAnswerPlace(definition, answerKey);
    if (!place) throw new Error(`the version has no place for the answer ${answerKey}`);
    if (!place.type.isPersonal) continue;
    state.answerWeight = Math.max(0, state.answerWeight - answerWeight(answer));
    changeAnswer(state, answerKey, place, null, definition, changes);
    erased += 1;
  }
  if (state.completedAt !== null) yield* markPath(state, definition, changes, { keepsEntries: true });
  countQuotas(state, filled, -1, changes);
  countQuotas(state, quotas(), 1, changes);
  if (erased > 0 || state.completedAt !== null) changes.respondents.set(keyOf(state), state);
  return erased;
}
