import type { Sql } from "@canvass/postgres";
import type { SurveyDirectory } from "../surveys/survey-directory.ts";
import { walkAnswers, type AnswerPosition, type AnswerWalk, type ListedAnswer } from "./walk-answers.ts";

export interface AnswerPageRequest extends Omit<AnswerWalk, "size"> {
  limit: number;
  skip?: number;
  /** Limit on the answer sets to examine. A page that reaches it ends early. */
  mostExamined: number;
  signal: AbortSignal;
}

export interface AnswerPage {
  answers: ListedAnswer[];
  /** Where the next page starts. Undefined: at the start of the list. */
  end: AnswerPosition | undefined;
  hasMore: boolean;
}

/** Limit on the characters of a page's values. The answer that exceeds it is the last. */
const mostLength = 1024 * 1024;
const step = { rows: 500, bytes: 64 * 1024 };
/** Limit on the statements of a page: each returns few rows if answers are large. */
const mostSteps = 200;

/** Large answers or strict filters may end a page early, with fewer than `limit` answers, even none. */
export async function readAnswerPage(
  sql: Sql,
  surveys: Pick<SurveyDirectory, "version">,
  { limit, skip = 0, mostExamined, signal, ...walk }: AnswerPageRequest,
): Promise<AnswerPage> {
  const { elementId, isCompleted } = walk.filter;
  const takesAll = elementId === undefined && isCompleted === undefined;
  const size = takesAll ? { ...step, rows: limit + skip + 1 } : step;
  const answers: ListedAnswer[] = [];
  let [end, examined, length, skipped, steps] = [walk.after, 0, 0, 0, 0];
  for await (const { answers: found, ...seen } of walkAnswers(sql, surveys, { ...walk, size })) {
    signal.throwIfAborted();
    for (const answer of found) {
      if (skipped < skip) {
        skipped += 1;
        continue;
      }
      if (answers.length === limit || length > mostLength)
        return { answers, end: answers.at(-1)!.position, hasMore: true };
      answers.push(answer);
      length += JSON.stringify(answer.value).length;
    }
    end = seen.end ?? end;
    examined += seen.examined;
    steps += 1;
    if (seen.isAtHorizon || examined >= mostExamined || steps === mostSteps) return { answers, end, hasMore: true };
  }
  return { answers, end, hasMore: false };
}
