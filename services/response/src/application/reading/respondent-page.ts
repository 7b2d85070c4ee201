import type { Sql } from "@canvass/postgres";
import {
  findRespondents,
  type RespondentFilter,
  type RespondentRecord,
} from "../../storage/respondents/respondent-pages.ts";

export interface RespondentPageRequest {
  filter: RespondentFilter;
  after: string | undefined;
  /** The page stops at this time, so that the next one misses no respondent. */
  horizon: Date;
  limit: number;
  showsAnswers: boolean;
  signal: AbortSignal;
}

export interface RespondentPage {
  respondents: RespondentRecord[];
  /** Id to resume after. Undefined: from the first. */
  end: string | undefined;
  hasMore: boolean;
}

const step = { rows: 500, bytes: 256 * 1024 };
const mostExamined = 5_000;
/** Limits on the characters of a page's answers, shown or only read. The respondent that exceeds them is the last. */
const mostShown = 1024 * 1024;
const mostHeld = 16 * mostShown;

/** Large answers or strict filters may end a page early, with fewer than `limit` respondents, even none. */
export async function readRespondentPage(sql: Sql, request: RespondentPageRequest): Promise<RespondentPage> {
  const { filter, after, horizon, limit, showsAnswers, signal } = request;
  const mostLength = showsAnswers ? mostShown : mostHeld;
  const size = takesAll(filter) ? { ...step, rows: limit + 1 } : step;
  const respondents: RespondentRecord[] = [];
  let [end, examined, length] = [after, 0, 0];
  for (;;) {
    signal.throwIfAborted();
    const { rows, isLast } = await findRespondents(sql, { filter, after: end, size, withAnswers: true });
    for (const row of rows) {
      // Under full anonymity an id reveals only the day, so the horizon does not apply.
      const isBeyond = !row.isAnonymous && row.startedAt >= horizon;
      const isFull = row.isMatch && (respondents.length === limit || length > mostLength);
      if (isBeyond || isFull) return { respondents, end, hasMore: true };
      end = row.respondentId;
      if (!row.isMatch) continue;
      respondents.push(row);
      length += lengthOf(row);
    }
    examined += rows.length;
    if (isLast || examined >= mostExamined) return { respondents, end, hasMore: !isLast };
  }
}

function takesAll({ isCompleted, status, distributorId, contactId, fields = {} }: RespondentFilter): boolean {
  const filters = [isCompleted, status, distributorId, contactId, ...Object.values(fields)];
  return filters.every((wanted) => wanted === undefined);
}

const lengthOf = ({ answers }: RespondentRecord) => JSON.stringify([...answers.values()]).length;
