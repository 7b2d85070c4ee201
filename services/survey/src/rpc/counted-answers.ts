import type { Answered, SurveyDefinition } from "@canvass/questions";
import type { SurveyContext } from "../context.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findCarryingQuestionIds } from "../storage/kept-definitions.ts";
import { countAnswersByQuestion, questionIdsOf } from "./draft-changes.ts";

/** Answers that were counted before the survey was locked. A question that came later may have some. */
export interface CountedAnswers {
  /** Of the questions with answers. */
  answered: Answered;
  /** Returns the ids of a draft's questions that have answers, or whose answers were not counted. */
  answeredOf: (draft: SurveyDefinition) => string[];
  /** Returns a test of whether an entry has answers; true for all if a question of `draft` was not counted. */
  entryTestFor: (draft: SurveyDefinition) => (entryId: string) => boolean;
}

/** Of a survey that was never published. */
export const noAnswers: CountedAnswers = {
  answered: new Map(),
  answeredOf: () => [],
  entryTestFor: () => () => false,
};

/**
 * Asks the response service which of the questions, and which entries, have answers, also where other questions carried
 * them. May be slow: call it before taking locks.
 */
export async function countFormerAnswers(
  context: SurveyContext,
  ref: SurveyRef,
  questionIds: readonly string[],
): Promise<CountedAnswers> {
  const carrying = await findCarryingQuestionIds(context.database.sql, ref);
  const counted = new Set([...questionIds, ...carrying]);
  const answered = await countAnswersByQuestion(context, ref, [...counted]);
  const entries = new Set([...answered.values()].flatMap(({ byKey }) => [...byKey.keys()]));
  return {
    answered,
    answeredOf: (draft) => questionIdsOf(draft).filter((id) => answered.has(id) || !counted.has(id)),
    entryTestFor: (draft) => {
      const isUnsure = questionIdsOf(draft).some((id) => !counted.has(id));
      return (id) => isUnsure || entries.has(id);
    },
  };
}
