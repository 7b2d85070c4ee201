import { countRespondent } from "../../domain/results/count-respondent.ts";
import type { QuestionResult } from "../../domain/results/question-stats.ts";
import { addChanges, type RunningResult } from "../../domain/results/running-result.ts";
import { BatchChanges } from "../../domain/submissions/batch-changes.ts";
import type { SurveyResult } from "../../storage/results/results.ts";
import type { MatchingRespondent } from "./matching-respondents.ts";

export interface AggregationInput {
  timeZone: string;
  /** Starts of the days to count completions of, sorted. */
  dayStarts: readonly Date[];
}

export interface AggregatedAnswers {
  survey: SurveyResult;
  completions: number[];
  /** By question, of those with answers. */
  questions: ReadonlyMap<string, QuestionResult>;
}

/** Counts respondents as their submissions did. Of people with full anonymity no duration is known. */
export async function aggregateRespondents(
  respondents: AsyncIterable<MatchingRespondent[]>,
  { timeZone, dayStarts }: AggregationInput,
): Promise<AggregatedAnswers> {
  const survey = { started: 0, completed: 0, timed: 0, completionMilliseconds: 0 };
  const completions = dayStarts.map(() => 0);
  const questions = new Map<string, RunningResult>();
  for await (const some of respondents) {
    const changes = new BatchChanges();
    for (const respondent of some) {
      const { definition, isAnonymous, completedAt } = respondent;
      const counting = { definition, timeZone, sign: 1, anonymousMilliseconds: 0 } as const;
      runToEnd(countRespondent(respondent, counting, changes));
      if (completedAt && !isAnonymous) survey.timed += 1;
    }
    for (const counts of changes.surveys.values()) {
      survey.started += counts.started;
      survey.completed += counts.completed;
      survey.completionMilliseconds += counts.completion_milliseconds;
    }
    for (const slot of changes.slots.values()) {
      const at = new Date(slot.starts_at);
      const day = dayStarts.findLastIndex((start) => start <= at);
      if (day >= 0) completions[day]! += slot.completions;
    }
    addChanges(questions, changes);
  }
  return { survey, completions, questions };
}

/** In a thread nothing waits for a slice to end. */
function runToEnd(work: Generator): void {
  while (!work.next().done);
}
