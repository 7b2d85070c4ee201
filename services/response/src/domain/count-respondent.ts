import { startOfDay } from "@canvass/inputs";
import { findAnswerPlace, type SurveyDefinition } from "@canvass/questions";
import { surveyCounts, type BatchChanges } from "./batch-changes.ts";
import { countCompletion } from "./complete-respondent.ts";
import { countAnswer } from "./count-answer.ts";
import { recordedDay } from "./recorded-time.ts";
import type { RespondentState } from "./respondent-state.ts";

/**
 * Counts a respondent, with all its answers in its state, in the running results, as its submissions did one by one. How
 * long it took is not known of one with full anonymity. Pauses at each answer.
 */
export function* countRespondent(
  state: RespondentState,
  definition: SurveyDefinition,
  timeZone: string,
  changes: BatchChanges,
): Generator<undefined, void> {
  if (state.isTest) {
    surveyCounts(changes, state).test_answers += state.answers.size;
    return;
  }
  const questions = new Set<string>();
  for (const [answerKey, { value }] of state.answers) {
    yield;
    const place = findAnswerPlace(definition, answerKey);
    if (!place) throw new Error(`the version has no place for the answer ${answerKey}`);
    const { question, type } = place;
    const respondents = questions.has(question.questionId) ? 0 : 1;
    questions.add(question.questionId);
    const after = type.tally(question, value);
    countAnswer(state, question.questionId, { responses: 1, respondents }, { before: null, after }, changes);
  }
  const { isAnonymous, startedAt, completedAt } = state;
  if (!completedAt) return;
  const at = isAnonymous ? startOfDay(timeZone, recordedDay(completedAt)) : completedAt;
  const milliseconds = isAnonymous ? 0 : Math.max(0, completedAt.getTime() - startedAt.getTime());
  countCompletion(state, at, { completions: 1, milliseconds }, changes);
}
