import { findAnswerPlace, type SurveyDefinition, type PlacedElement } from "@canvass/questions";
import { startOfDay } from "@canvass/values";
import { LRUCache } from "lru-cache";
import type { QuestionResult } from "../../domain/results/question-stats.ts";
import { createRunningResult, type RunningResult, addAnswers } from "../../domain/results/running-result.ts";
import { recordedDay } from "../../domain/respondents/recorded-time.ts";
import { type AnswerScanner, copyOf, createAnswerScanner } from "../../domain/results/answer-scanner.ts";
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

/** Respondents come in the order of starts, so few versions are being counted at a time. */
const keptVersions = 8;

/** Counts answers of all versions. Places are found once, since millions of answers have few. */
function createQuestionCounts() {
  const results = new Map<string, RunningResult>();
  const versions = new LRUCache<number, CountedVersion>({
    max: keptVersions,
    dispose: ({ values }) => values.settle(),
  });

  function startVersion(definition: SurveyDefinition): CountedVersion {
    const values = createValueCounts();
    const scanner = createAnswerScanner((key): CountedPlace => {
      const placed = findAnswerPlace(definition, key);
      if (!placed) throw new Error(`the version has no place for the answer ${key}`);
      const { questionId } = placed.question;
      const result = results.get(questionId) ?? createRunningResult();
      results.set(questionId, result);
      return { result, count: values.of(placed, result), isRepeated: placed.page.loop !== null };
    });
    return { values, scanner };
  }

  return {
    add({ definition, versionNumber, allAnswers }: MatchingRespondents): void {
      let version = versions.get(versionNumber);
      if (!version) versions.set(versionNumber, (version = startVersion(definition)));
      // Repetitions are several answers of one respondent.
      const repeated = new Set<RunningResult>();
      version.scanner.scan(allAnswers, ({ result, count, isRepeated }, value) => {
        count(value);
        if (isRepeated) repeated.add(result);
        else result.respondents += 1;
      });
      for (const result of repeated) result.respondents += 1;
    },
    results(): ReadonlyMap<string, RunningResult> {
      versions.clear();
      return results;
    },
  };
}

interface CountedVersion {
  scanner: AnswerScanner<CountedPlace>;
  values: ValueCounts;
}

interface CountedPlace {
  result: RunningResult;
  /** Takes JSON. */
  count: (value: string) => void;
  isRepeated: boolean;
}

/** Counts answers by place and value, so that equal ones are parsed and tallied once. */
interface ValueCounts {
  of(place: PlacedElement, result: RunningResult): CountedPlace["count"];
  /** Adds the counts to the results. */
  settle(): void;
}

/** Limits of stored values: their number, and the characters of one. */
const most = { values: 10_000, length: 64 };

function createValueCounts(): ValueCounts {
  const places: { counts: Map<string, { times: number }>; tally: (value: string, times: number) => void }[] = [];
  let kept = 0;

  function settle(): void {
    for (const { counts, tally } of places) {
      for (const [value, { times }] of counts) tally(value, times);
      counts.clear();
    }
    kept = 0;
  }

  return {
    of({ question, type }, result) {
      const counts = new Map<string, { times: number }>();
      const tally = (value: string, times: number) =>
        addAnswers(result, type.tally(question, JSON.parse(value)), times);
      places.push({ counts, tally });
      return (value) => {
        const known = counts.get(value);
        if (known) known.times += 1;
        else if (value.length > most.length) tally(value, 1);
        else {
          counts.set(copyOf(value), { times: 1 });
          kept += 1;
          if (kept === most.values) settle();
        }
      };
    },
    settle,
  };
}
