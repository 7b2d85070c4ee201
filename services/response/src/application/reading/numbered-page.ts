import type { Sql } from "@canvass/postgres";
import {
  findAnswerCounts,
  positionOf,
  type AnswerFilter,
  type SetCount,
} from "../../storage/answers/answer-set-pages.ts";
import { countAnswers } from "../../storage/results/results.ts";
import type { AnswerPosition } from "./walk-answers.ts";

/** Pages by number reach at most this many answers, and examine at most this many sets. */
export const mostNumbered = 100_000;
const step = { rows: 5_000, bytes: 16 * 1024 * 1024 };
/** Limit on the bytes of answers read for counting. */
const maxBytes = 256 * 1024 * 1024;

export interface NumberedStart {
  /** The page starts `skip` answers after this position. Undefined if it is past the end. */
  start: { after: AnswerPosition | undefined; skip: number; examined: number } | undefined;
  /** How far the list was counted. */
  counted: AnswerPosition | undefined;
  hasMore: boolean;
  total: number;
  /** False: `total` is a lower bound. */
  isExact: boolean;
}

/** Finds the start of a page by number, and the total. Counts a filtered list only as far as such pages reach. */
export async function findNumberedStart(
  sql: Sql,
  filter: AnswerFilter,
  { offset, signal }: { offset: number; signal: AbortSignal },
): Promise<NumberedStart> {
  const { workspaceId, surveyId, ...filters } = filter;
  const isWhole = Object.values(filters).every((value) => value === undefined);
  let start: NumberedStart["start"] = offset === 0 ? { after: undefined, skip: 0, examined: 0 } : undefined;
  let counted: SetCount | undefined;
  let [total, examined, bytes, isLast] = [0, 0, 0, false];
  const isTooMuch = () => examined >= mostNumbered || total >= mostNumbered || bytes >= maxBytes;
  const isCounted = () => isLast || isTooMuch() || (isWhole && start !== undefined);
  while (!isCounted()) {
    signal.throwIfAborted();
    const page = await findAnswerCounts(sql, { filter, after: counted && positionOf(counted) }, step);
    ({ isLast } = page);
    for (const set of page.rows) {
      if (!start && total + set.count > offset) start = { after: beginOf(set), skip: offset - total, examined };
      counted = set;
      total += set.count;
      examined += 1;
      bytes += set.bytes;
    }
  }
  const end: AnswerPosition | undefined = counted && [...positionOf(counted), Number.MAX_SAFE_INTEGER];
  const found = { start, counted: end, hasMore: !isLast };
  if (isWhole) return { ...found, total: await countAnswers(sql, workspaceId, surveyId), isExact: true };
  return { ...found, total: Math.min(total, mostNumbered), isExact: isLast && total <= mostNumbered };
}

const beginOf = (set: SetCount): AnswerPosition => [...positionOf(set), -1];
