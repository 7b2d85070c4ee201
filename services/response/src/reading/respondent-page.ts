import type { Sql } from "@canvass/postgres";
import { findRespondents, type RespondentFilter, type RespondentRecord } from "../storage/respondent-pages.ts";

export interface RespondentPageRequest {
  filter: RespondentFilter;
  after: string | undefined;
  /** Where the page stops, so that the next one misses none. */
  horizon: Date;
  limit: number;
  /** Whether the answers are shown, and weigh. */
  showsAnswers: boolean;
}

export interface RespondentPage {
  /** With their answers. */
  respondents: RespondentRecord[];
  /** The id to go on after; undefined: from the first. */
  end: string | undefined;
  hasMore: boolean;
}

const step = { rows: 500, bytes: 256 * 1024 };
const mostExamined = 5_000;
/** Characters of the answers of a page; the respondent that exceeds them is its last. */
const mostLength = 1024 * 1024;

/**
 * One page of a survey's respondents. It may hold fewer than asked for, even none, while there are more: their answers are
 * heavy, or the filter leaves many out.
 */
export async function readRespondentPage(sql: Sql, request: RespondentPageRequest): Promise<RespondentPage> {
  const { filter, after, horizon, limit, showsAnswers } = request;
  const size = takesAll(filter) ? { ...step, rows: limit + 1 } : step;
  const respondents: RespondentRecord[] = [];
  let [end, examined, length] = [after, 0, 0];
  for (;;) {
    const { rows, isLast } = await findRespondents(sql, { filter, after: end, size, withAnswers: true });
    for (const row of rows) {
      // With full anonymity ids tell no time: those of a day have no order to be missed in.
      const isBeyond = !row.isAnonymous && row.startedAt >= horizon;
      const isFull = row.isMatch && (respondents.length === limit || length > mostLength);
      if (isBeyond || isFull) return { respondents, end, hasMore: true };
      end = row.respondentId;
      if (!row.isMatch) continue;
      respondents.push(row);
      if (showsAnswers) length += lengthOf(row);
    }
    examined += rows.length;
    if (isLast || examined >= mostExamined) return { respondents, end, hasMore: !isLast };
  }
}

function takesAll({ isCompleted, distributorId, contactId }: RespondentFilter): boolean {
  return isCompleted === undefined && distributorId === undefined && contactId === undefined;
}

const lengthOf = ({ answers }: RespondentRecord) => JSON.stringify([...answers.values()]).length;
