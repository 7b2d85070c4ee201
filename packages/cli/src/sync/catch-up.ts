import type { Canvass } from "@canvass/sdk";
import { compareCounts } from "./compare-counts.ts";
import { compareIds } from "./compare-ids.ts";
import type { Database } from "./open-database.ts";
import { readChanges, readRespondent } from "./read-changes.ts";
import { deleteUnseen, storeRespondents } from "./store-respondents.ts";
import { writeState, type SyncState } from "./sync-state.ts";

export type Syncing = {
  canvass: Canvass;
  database: Database;
  signal: AbortSignal;
  progress: (line: string | undefined) => void;
  /** Times of answers are days. A day has no place behind which its later answers come, so it is read again. */
  isDaily: boolean;
};

const mostRounds = 5;
/** Answers that were given while the walk began may be stored a little later. */
const overlapMs = 60_000;

/**
 * Returns the state at the start of a walk: a full scan of respondents, which finds changes without an event, and
 * deleted respondents.
 */
export const nextWalk = (state: SyncState): SyncState => ({
  ...state,
  walk: state.walk + 1,
  walkEnded: false,
  respondentsCursor: null,
  changesFrom: null,
  changesCursor: null,
});

/**
 * Makes the database equal to the survey: reads new respondents, then those who changed, then compares the counts. Each
 * step is one transaction with its cursors, so it may end anywhere. Returns the state, and how many were read. Compares
 * the ids of all respondents, too, if `comparesIds` is set: counts do not show as many erasures as imports.
 */
export async function catchUp(
  syncing: Syncing,
  from: SyncState,
  { comparesIds }: { comparesIds: boolean },
): Promise<{ state: SyncState; read: number }> {
  let state = from;
  let read = 0;
  // A walk that goes on after an interruption has passed respondents who may be gone since.
  let walked = !state.walkEnded && state.respondentsCursor === null;
  for (let round = 1; ; round++) {
    const before = read;
    const started = await walkRespondents(syncing, state);
    const different = comparesIds && round === 1 && !walked ? await compareIds(syncing, from.surveyId) : [];
    const changed = await applyChanges(syncing, started.state, different);
    state = changed.state;
    read += started.read + changed.read;
    const counts = state.walkEnded ? await compareCounts(syncing, state.surveyId) : "fewer";
    if (counts === "same" || round === mostRounds) return { state, read };
    // Fewer rows here are usual while people answer. If this round read none, only a walk finds what is missing.
    const needsWalk = state.walkEnded && (counts === "more" || read === before);
    if (needsWalk && walked) return { state, read };
    if (needsWalk) state = nextWalk(state);
    walked ||= needsWalk;
  }
}

async function walkRespondents({ canvass, database, signal, progress }: Syncing, from: SyncState) {
  let [state, read] = [from, 0];
  for (let hasMore = true; hasMore;) {
    const { surveyId, walk, respondentsCursor, changesFrom, walkEnded } = state;
    const query = {
      include: "answers",
      limit: 100,
      ...(respondentsCursor !== null && { cursor: respondentsCursor }),
    } as const;
    const { data: page } = await canvass.api.listRespondents({ path: { surveyId }, query, signal });
    ({ hasMore } = page.pagination);
    read += page.data.length;
    if (page.data.length === 0 && walkEnded) continue;
    const next: SyncState = {
      ...state,
      respondentsCursor: page.pagination.cursor_next ?? respondentsCursor,
      changesFrom: changesFrom ?? new Date(Date.parse(page.meta.timestamp) - overlapMs).toISOString(),
      walkEnded: walkEnded || !hasMore,
    };
    await database.transact(async () => {
      await storeRespondents(database, { respondents: page.data, walk });
      if (!walkEnded && next.walkEnded) await deleteUnseen(database, walk);
      await writeState(database, next);
    });
    state = next;
    progress(`${read} respondents are read`);
  }
  return { state, read };
}

async function applyChanges(syncing: Syncing, state: SyncState, different: readonly string[]) {
  const { canvass, database, signal, progress } = syncing;
  const { changesCursor, feedCursor, ...changes } = await readChanges(syncing, state);
  const respondentIds = [...new Set([...changes.respondentIds, ...different])];
  const [{ known = 0 } = {}] = await database.read("SELECT count(*)::INTEGER AS known FROM respondents");
  // Beyond this a walk is cheaper: it reads a hundred respondents per request.
  if (respondentIds.length > Math.max(100, Number(known) / 100)) {
    return { state: { ...nextWalk(state), feedCursor }, read: 0 };
  }
  let read = 0;
  for (const respondentId of respondentIds) {
    const found = await readRespondent(canvass, { surveyId: state.surveyId, respondentId, signal });
    await database.transact(() =>
      storeRespondents(database, { respondents: found ? [found] : [], absent: [respondentId], walk: state.walk }),
    );
    progress(`${(read += 1)} of ${respondentIds.length} changed respondents are read`);
  }
  const isNew = changesCursor !== state.changesCursor || feedCursor !== state.feedCursor;
  const next = { ...state, changesCursor, feedCursor };
  if (isNew) await database.transact(() => writeState(database, next));
  return { state: next, read };
}
