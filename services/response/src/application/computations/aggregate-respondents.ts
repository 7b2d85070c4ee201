import { findAnswerPlace, type PlacedElement, type SurveyDefinition } from "@canvass/questions";
import { startOfDay } from "@canvass/values";
import type { QuestionResult } from "../../domain/results/question-stats.ts";
import { addAnswer, startResult, type RunningResult } from "../../domain/results/running-result.ts";
import { recordedDay } from "../../domain/respondents/recorded-time.ts";
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

/**
 * Counts respondents as `countRespondent` does for the counters, faster and in memory that does not grow with them. Of
 * people with full anonymity no duration is known.
 */
export async function aggregateRespondents(
  respondents: AsyncIterable<MatchingRespondent[]>,
  { timeZone, dayStarts }: AggregationInput,
): Promise<AggregatedAnswers> {
  const survey = { started: 0, completed: 0, timed: 0, completionMilliseconds: 0 };
  const completions = dayStarts.map(() => 0);
  const questions = new Map<string, RunningResult>();
  const placeOf = createPlaces();
  for await (const some of respondents) {
    for (const respondent of some) {
      const { isAnonymous, startedAt, completedAt } = respondent;
      survey.started += 1;
      countAnswers(respondent, questions, placeOf);
      if (!completedAt) continue;
      survey.completed += 1;
      const at = isAnonymous ? startOfDay(timeZone, recordedDay(completedAt)) : completedAt;
      const day = dayStarts.findLastIndex((start) => start <= at);
      if (day >= 0) completions[day]! += 1;
      if (isAnonymous) continue;
      survey.timed += 1;
      survey.completionMilliseconds += Math.max(0, completedAt.getTime() - startedAt.getTime());
    }
  }
  return { survey, completions, questions };
}

function countAnswers(
  { definition, answers }: MatchingRespondent,
  questions: Map<string, RunningResult>,
  placeOf: ReturnType<typeof createPlaces>,
): void {
  const answered = new Set<string>();
  for (const [key, { value }] of answers) {
    const { question, type } = placeOf(definition, key);
    const { questionId } = question;
    let result = questions.get(questionId);
    if (!result) questions.set(questionId, (result = startResult()));
    addAnswer(result, type.tally(question, value));
    // Repetitions are several answers of one respondent.
    if (!answered.has(questionId)) result.respondents += 1;
    answered.add(questionId);
  }
}

/** Finds places of answers, each once, since millions of answers have few. */
function createPlaces(): (definition: SurveyDefinition, key: string) => PlacedElement {
  const known = new WeakMap<SurveyDefinition, Map<string, PlacedElement>>();
  return (definition, key) => {
    let places = known.get(definition);
    if (!places) known.set(definition, (places = new Map()));
    let place = places.get(key);
    if (!place) {
      place = findAnswerPlace(definition, key);
      if (!place) throw new Error(`the version has no place for the answer ${key}`);
      places.set(key, place);
    }
    return place;
  };
}
