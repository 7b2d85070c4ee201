import { startOfDay } from "@canvass/values";
import { findAnswerPlace, matchingQuotas, type SurveyDefinition } from "@canvass/questions";
import { countQuotas, surveyCounts, countCompletion, countDistributor, countAnswer } from "./counters.ts";
import { type BatchChanges } from "../submissions/batch-changes.ts";
import { answerValues } from "../submissions/known-answers.ts";
import { recordedDay } from "../respondents/recorded-time.ts";
import type { CurrentAnswer, RespondentState } from "../respondents/respondent-state.ts";
import type { SurveyRef } from "../survey-ref.ts";

export interface Counting {
  definition: SurveyDefinition;
  timeZone: string;
  /** 1 adds the respondent, -1 removes it. */
  sign: 1 | -1;
  /** Duration to count under full anonymity, where the respondent's own is not stored. */
  anonymousMilliseconds: number;
}

export type Counted = SurveyRef &
  Pick<
    RespondentState,
    "isTest" | "isAnonymous" | "distributorId" | "startedAt" | "completedAt" | "fields" | "language"
  > & { readonly answers: ReadonlyMap<string, Pick<CurrentAnswer, "value" | "offPath">> };

/**
 * Counts a respondent as its submissions did one by one, in `changes`. It yields so that the caller may pause. A test
 * respondent only adds to the number of answers that exist.
 */
export function* countRespondent(
  state: Counted,
  { definition, timeZone, sign, anonymousMilliseconds }: Counting,
  changes: BatchChanges,
): Generator<undefined, void> {
  if (state.isTest) {
    surveyCounts(changes, state).test_answers += sign * state.answers.size;
    return;
  }
  surveyCounts(changes, state).started += sign;
  countDistributor(state, { started: sign }, changes);
  const questions = new Set<string>();
  // On-path answers come first: a respondent counts off the path only for questions without any.
  const ordered = [false, true].flatMap((wanted) =>
    [...state.answers].filter(([, { offPath = false }]) => offPath === wanted),
  );
  for (const [answerKey, { value, offPath = false }] of ordered) {
    yield;
    const place = findAnswerPlace(definition, answerKey);
    if (!place) throw new Error(`the version has no place for the answer ${answerKey}`);
    const { question, type } = place;
    const respondents = questions.has(question.questionId) ? 0 : sign;
    questions.add(question.questionId);
    const tally = type.tally(question, value);
    const change = sign === 1 ? { before: null, after: tally } : { before: tally, after: null };
    const counted = { questionId: question.questionId, offPath };
    countAnswer(state, counted, { responses: sign, respondents }, change, changes);
  }
  const { isAnonymous, startedAt, completedAt } = state;
  if (!completedAt) return;
  countDistributor(state, { completed: sign }, changes);
  countQuotas(state, matchingQuotas(definition, answerValues(state)), sign, changes);
  const at = isAnonymous ? startOfDay(timeZone, recordedDay(completedAt)) : completedAt;
  const took = isAnonymous ? anonymousMilliseconds : completedAt.getTime() - startedAt.getTime();
  countCompletion(state, at, { completions: sign, milliseconds: sign * Math.max(0, took) }, changes);
}
