import type { Sql } from "@canvass/postgres";
import { questionTypeOf, type Question } from "@canvass/questions";
import type { QuestionResult } from "../../domain/results/question-stats.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import {
  findCompletionDays,
  findQuestionResults,
  findSurveyResult,
  type SurveyResult,
} from "../../storage/results/results.ts";
import type { AggregatedAnswers } from "../computations/aggregate-respondents.ts";

/** Where figures come from. */
export interface ResultSource {
  survey(): Promise<SurveyResult>;
  /** Of each day asked for. */
  completions(): Promise<number[]>;
  questions(asked: readonly Question[]): Promise<ReadonlyMap<string, QuestionResult>>;
}

/** Reads counters, so that the cost does not grow with the answers. `sql` must read one snapshot. */
export function fromCounters(
  sql: Sql,
  {
    workspaceId,
    surveyId,
    includeOffPath,
    dayStarts,
  }: SurveyRef & { includeOffPath: boolean; dayStarts: readonly Date[] },
): ResultSource {
  const idsOf = (some: readonly Question[]) => some.map(({ questionId }) => questionId);
  return {
    survey: () => findSurveyResult(sql, workspaceId, surveyId),
    completions: () => findCompletionDays(sql, workspaceId, surveyId, dayStarts),
    questions: (asked) =>
      findQuestionResults(sql, workspaceId, surveyId, {
        questionIds: idsOf(asked),
        withNumbers: idsOf(asked.filter((question) => questionTypeOf(question).hasHistogram)),
        includeOffPath,
      }),
  };
}

/** Gives what was computed over answers. */
export function fromAnswers({ survey, completions, questions }: AggregatedAnswers): ResultSource {
  return {
    survey: () => Promise.resolve(survey),
    completions: () => Promise.resolve(completions),
    questions: () => Promise.resolve(questions),
  };
}
