import { CanvassError, type Api, type Canvass } from "@canvass/sdk";
import type { Database } from "./open-database.ts";
import type { SyncState } from "./sync-state.ts";

type Changes = Pick<SyncState, "changesCursor" | "feedCursor"> & { respondentIds: readonly string[] };
type Source = { canvass: Canvass; database: Database; signal: AbortSignal; isDaily: boolean };

/**
 * Finds who completed by the feed, and who gave or changed answers by the stream. The cursors are after what was read.
 */
export async function readChanges(source: Source, state: SyncState): Promise<Changes> {
  const completed = await readCompleted(source, state);
  const answered = await readAnswered(source, state);
  return { ...completed, ...answered, respondentIds: [...new Set([...completed.ids, ...answered.ids])] };
}

async function readCompleted({ canvass, database, signal }: Source, { surveyId, feedCursor: after }: SyncState) {
  const ids: string[] = [];
  let feedCursor = after;
  for (let hasMore = feedCursor !== null; hasMore;) {
    const { data } = await canvass.api.listEvents({ query: { limit: 100, cursor: feedCursor! }, signal });
    for (const event of data.data) {
      if (event.data.survey_id === surveyId) ids.push(event.data.response_id);
      feedCursor = event.cursor;
    }
    ({ hasMore } = data.pagination);
  }
  const unknown = `SELECT id FROM (SELECT unnest(from_json($1::JSON, '["VARCHAR"]')) AS id)
WHERE id NOT IN (SELECT respondent_id FROM respondents WHERE completed_at IS NOT NULL)`;
  return { ids: await idsOf(database, unknown, ids), feedCursor };
}

const rowShape = `[{"id":"VARCHAR","respondentId":"VARCHAR","value":"JSON","submittedAt":"TIMESTAMPTZ"}]`;
/** The respondents whose local rows are missing or outdated. */
const CHANGED = `SELECT DISTINCT "respondentId" AS id FROM (SELECT unnest(from_json($1::JSON, '${rowShape}'), recursive := true)) r
WHERE NOT EXISTS (FROM answers a WHERE a.answer_id = r.id AND a.submitted_at = r."submittedAt" AND a.value = r.value)`;
const mostRows = 1_000;

async function readAnswered({ canvass, database, signal, isDaily }: Source, { surveyId, ...state }: SyncState) {
  const ids: string[] = [];
  let { changesCursor } = state;
  let rows: Api.AnswerRow[] = [];
  const from = isDaily ? firstDay(state.changesFrom!) : state.changesFrom!;
  const after = changesCursor === null ? {} : { cursor: changesCursor };
  for await (const row of canvass.responses.stream(surveyId, { from }, { ...after, signal })) {
    rows.push(row);
    if (!isDaily) changesCursor = row.cursor;
    if (rows.length < mostRows) continue;
    ids.push(...(await idsOf(database, CHANGED, rows)));
    rows = [];
  }
  ids.push(...(await idsOf(database, CHANGED, rows)));
  return { ids, changesCursor };
}

/** The earliest midnight UTC that may stand for the day of a moment: zones are up to twelve hours behind. */
const firstDay = (at: string): string =>
  `${new Date(Date.parse(at) - 43_200_000).toISOString().slice(0, 10)}T00:00:00.000Z`;

async function idsOf(database: Database, sql: string, given: readonly unknown[]): Promise<string[]> {
  if (given.length === 0) return [];
  return (await database.read(sql, [JSON.stringify(given)])).map(({ id }) => String(id));
}

/** Reads a respondent with its answers; undefined if it was erased. */
export async function readRespondent(
  canvass: Canvass,
  { surveyId, respondentId, signal }: { surveyId: string; respondentId: string; signal: AbortSignal },
): Promise<Api.Respondent | undefined> {
  const path = { surveyId, respondentId };
  try {
    const { data } = await canvass.api.getRespondent({ path, query: { include: "answers" }, signal });
    return data.data;
  } catch (error) {
    if (error instanceof CanvassError && error.code === "respondent_not_found") return undefined;
    throw error;
  }
}
