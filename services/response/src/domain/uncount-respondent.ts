import { dayIn, startOfDay } from "@canvass/inputs";
import { findAnswerPlace, type SurveyDefinition } from "@canvass/questions";
import { leaveSlot } from "./activity.ts";
import { surveyCounts, type BatchChanges } from "./batch-changes.ts";
import { countCompletion } from "./complete-respondent.ts";
import { countAnswer } from "./count-answer.ts";
import { countStart, startsKeptMs } from "./count-start.ts";
import { recordedDay } from "./recorded-time.ts";
import type { NewRespondent, RespondentState } from "./respondent-state.ts";

export interface Uncounting {
  definition: SurveyDefinition;
  /** IANA name, of the workspace. */
  timeZone: string;
  now: Date;
  /** Milliseconds that the average respondent took: taken off for one whose own time was not kept. */
  averageMilliseconds: number;
}

/**
 * Takes a respondent, with all its answers in its state, out of every running result, as if it had never started. Pauses
 * at each answer. Of tests lists count the answers.
 */
export function* uncountRespondent(
  state: RespondentState & Pick<NewRespondent, "country">,
  { definition, timeZone, now, averageMilliseconds }: Uncounting,
  changes: BatchChanges,
): Generator<undefined, void> {
  if (state.isTest) {
    surveyCounts(changes, state).test_answers -= state.answers.size;
    return;
  }
  const questions = new Set<string>();
  for (const [answerKey, { value }] of state.answers) {
    yield;
    const place = findAnswerPlace(definition, answerKey);
    if (!place) throw new Error(`the version has no place for the answer ${answerKey}`);
    const { question, type } = place;
    const respondents = questions.has(question.questionId) ? 0 : -1;
    questions.add(question.questionId);
    const before = type.tally(question, value);
    countAnswer(state, question.questionId, { responses: -1, respondents }, { before, after: null }, changes);
  }
  surveyCounts(changes, state).started -= 1;
  const startedOn = startOfDay(timeZone, startDay(state, timeZone));
  if (now.getTime() - startedOn.getTime() < startsKeptMs) countStart(changes, state, startedOn, -1);
  if (!state.completedAt) return leaveSlot(state, now, changes);
  const took = state.isAnonymous ? averageMilliseconds : state.completedAt.getTime() - state.startedAt.getTime();
  const at = state.isAnonymous ? startOfDay(timeZone, recordedDay(state.completedAt)) : state.completedAt;
  countCompletion(state, at, { completions: -1, milliseconds: -Math.max(0, took) }, changes);
}

/** Once completed, an anonymous respondent keeps only its day. */
function startDay({ isAnonymous, completedAt, startedAt }: RespondentState, timeZone: string): string {
  return isAnonymous && completedAt ? recordedDay(startedAt) : dayIn(timeZone, startedAt);
}
