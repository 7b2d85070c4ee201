import { findAnswerPlace, type SurveyDefinition, type PlacedElement } from "@canvass/questions";
import { startOfDay } from "@canvass/values";
import { LRUCache } from "lru-cache";
import type { QuestionResult } from "../../domain/results/question-stats.ts";
import { startResult, type RunningResult, addAnswers } from "../../domain/results/running-result.ts";
import { recordedDay } from "../../domain/respondents/recorded-time.ts";
import type { SurveyResult } from "../../storage/results/results.ts";
import type { MatchingRespondents } from "./matching-respondents.ts";

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
 * Counts respondents, each alone, as `countRespondent` does for the counters, faster and in memory that does not grow
 * with them. Of people with full anonymity no duration is known.
 */
export async function aggregateRespondents(
  respondents: AsyncIterable<MatchingRespondents[]>,
  { timeZone, dayStarts }: AggregationInput,
): Promise<AggregatedAnswers> {
  const survey = { started: 0, completed: 0, timed: 0, completionMilliseconds: 0 };
  const completions = dayStarts.map(() => 0);
  const questions = createQuestionCounts();
  for await (const some of respondents) {
    for (const respondent of some) {
      const { isAnonymous, startedAt, completedAt } = respondent;
      survey.started += 1;
      questions.add(respondent);
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
  return { survey, completions, questions: questions.results() };
}

/** Versions with answers that are being counted: neighbours have the same. */
const keptVersions = 8;

/** Counts answers of all versions. Places are found once, since millions of answers have few. */
function createQuestionCounts() {
  const results = new Map<string, RunningResult>();
  const versions = new LRUCache<number, Map<string, CountedPlace>>({
    max: keptVersions,
    dispose: (places) => places.forEach(({ counter }) => counter.settle()),
  });

  function placeOf(definition: SurveyDefinition, key: string): CountedPlace {
    const placed = findAnswerPlace(definition, key);
    if (!placed) throw new Error(`the version has no place for the answer ${key}`);
    const { questionId } = placed.question;
    const result = results.get(questionId) ?? startResult();
    results.set(questionId, result);
    return { result, counter: createAnswerCounter(placed, result), isRepeated: placed.page.loop !== null };
  }

  return {
    add({ definition, versionNumber, answers }: MatchingRespondents): void {
      const places = versions.get(versionNumber) ?? new Map<string, CountedPlace>();
      if (places.size === 0) versions.set(versionNumber, places);
      // Repetitions are several answers of one respondent.
      const repeated = new Set<RunningResult>();
      for (const key of Object.keys(answers)) {
        let place = places.get(key);
        if (!place) places.set(key, (place = placeOf(definition, key)));
        place.counter.add(answers[key]);
        if (place.isRepeated) repeated.add(place.result);
        else place.result.respondents += 1;
      }
      for (const result of repeated) result.respondents += 1;
    },
    results(): ReadonlyMap<string, RunningResult> {
      versions.clear();
      return results;
    },
  };
}

interface CountedPlace {
  result: RunningResult;
  counter: AnswerCounter;
  isRepeated: boolean;
}

/** Counts the answers at one place, by value where values are simple, so that each value is tallied once. */
interface AnswerCounter {
  add(value: unknown): void;
  /** Adds to the result what was counted by value. */
  settle(): void;
}

/** Values counted before they are added to the result, so that texts take a bounded memory. */
const mostValues = 100;

function createAnswerCounter({ question, type }: PlacedElement, result: RunningResult): AnswerCounter {
  const counts = new Map<unknown, number>();
  const settle = () => {
    for (const [value, times] of counts) addAnswers(result, type.tally(question, value), times);
    counts.clear();
  };
  return {
    add(value) {
      if (typeof value === "object") {
        addAnswers(result, type.tally(question, value), 1);
        return;
      }
      counts.set(value, (counts.get(value) ?? 0) + 1);
      if (counts.size === mostValues) settle();
    },
    settle,
  };
}
