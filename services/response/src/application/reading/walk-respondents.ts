import type { Sql } from "@canvass/postgres";
import {
  findRespondents,
  type RespondentFilter,
  type RespondentRecord,
} from "../../storage/respondents/respondent-pages.ts";

export interface RespondentWalk {
  filter: RespondentFilter;
  after?: string | undefined;
  withAnswers: boolean;
}

const step = { rows: 500, bytes: 256 * 1024 };

/** Walks respondents by id with constant memory. Outside a snapshot, only each respondent is consistent. */
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
