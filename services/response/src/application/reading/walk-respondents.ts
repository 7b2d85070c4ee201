import type { Sql } from "@canvass/postgres";
import {
  findRespondents,
  type RespondentFilter,
  type RespondentRecord,
} from "../../storage/respondents/respondent-pages.ts";

export interface RespondentWalk {
  filter: RespondentFilter;
  /** The respondent id to go on after; undefined: from the first. */
  after?: string | undefined;
  withAnswers: boolean;
}

/** What one statement reads. */
const step = { rows: 500, bytes: 256 * 1024 };

/**
 * Walks a survey's respondents in the order of their ids, several at a time, each with its answers where they are asked
 * for. Memory does not grow with their number. Every step is one statement: inside a snapshot transaction all of them show
 * one moment, outside each respondent is of one moment.
 */
export async function* walkRespondents(
  sql: Sql,
  { filter, after, withAnswers }: RespondentWalk,
): AsyncGenerator<RespondentRecord[]> {
  let last = after;
  for (let isLast = false; !isLast;) {
    const page = await findRespondents(sql, { filter, after: last, size: step, withAnswers });
    ({ isLast } = page);
    last = page.rows.at(-1)?.respondentId ?? last;
    const matching = page.rows.filter(({ isMatch }) => isMatch);
    if (matching.length > 0) yield matching;
  }
}
