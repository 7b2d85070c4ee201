import { setTimeout as delay } from "node:timers/promises";
import { CanvassError, type Canvass } from "@canvass/sdk";
import type { Session } from "../define-command.ts";
import { ensureSubscription } from "../listen/feed-subscription.ts";
import { cursorBefore } from "../listen/find-start.ts";
import { outageLine } from "../listen/lines.ts";
import { catchUp, nextWalk } from "./catch-up.ts";
import { describeElements } from "./describe-elements.ts";
import { openDatabase } from "./open-database.ts";
import { readState, type SyncState } from "./sync-state.ts";

export type SyncWish = { surveyId: string; path: string; follow: boolean; pollMs?: number };

/** Makes a local database equal to the answers of a survey, and keeps it so until it is stopped if `follow` is set. */
export async function syncUntil(signal: AbortSignal, session: Session, wish: SyncWish) {
  const { surveyId, path, follow, pollMs = 5_000 } = wish;
  const [{ url }, canvass] = [await session.access(), await session.canvass()];
  const { settings } = await canvass.surveys.get(surveyId, { signal });
  using database = await openDatabase(path);
  let state = await readState(database, { url, surveyId });
  state = { ...state, feedCursor: await findFeed(canvass, state.feedCursor, signal) };
  // With full anonymity times are days, by which later changes are not found.
  const isDaily = (settings as { privacy?: { anonymity?: string } }).privacy?.anonymity === "full";
  if (isDaily && state.walkEnded) state = nextWalk(state);
  const syncing = { canvass, database, signal, progress: session.progress };
  let read = 0;
  let isDescribed = false;
  let isOut = false;
  for (let goesOn = true; goesOn; goesOn = follow && !signal.aborted) {
    try {
      if (isDue(state)) state = nextWalk(state);
      const caughtUp = await catchUp(syncing, state);
      state = caughtUp.state;
      read += caughtUp.read;
      if (!isDescribed || caughtUp.read > 0) await describeElements(canvass, database, surveyId);
      if (follow && !isDescribed) session.tell(`${path} is up to date, and stays so. Ctrl-C ends it.`);
      else if (follow && caughtUp.read > 0) session.tell(`${timeOfDay()}  respondents read: ${caughtUp.read}`);
      isDescribed = true;
      isOut = false;
    } catch (error) {
      if (signal.aborted) break;
      if (!follow || !(error instanceof CanvassError) || !error.retryable) throw error;
      if (!isOut) session.tell(outageLine(error));
      isOut = true;
      const kept = await readState(database, { url, surveyId });
      state = { ...kept, feedCursor: kept.feedCursor ?? state.feedCursor };
    }
    session.progress(undefined);
    if (follow) await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
  const [{ respondents = 0, answers = 0 } = {}] = await database.read(
    "SELECT (SELECT count(*) FROM respondents)::INTEGER AS respondents, (SELECT count(*) FROM answers)::INTEGER AS answers",
  );
  return { file: path, surveyId, respondents, answers, read, stopped: signal.aborted };
}

/** A walk a day finds what neither feed, stream nor counts tell of, such as an anonymized contact. */
const isDue = ({ walkEnded, changesFrom }: SyncState): boolean =>
  walkEnded && (changesFrom === null || Date.now() - Date.parse(changesFrom) > 86_400_000);

const timeOfDay = (): string => new Date().toTimeString().slice(0, 8);

/** Where the feed is to be read from. Null for tokens and plans without events: counts tell of completions then. */
async function findFeed(canvass: Canvass, known: string | null, signal: AbortSignal): Promise<string | null> {
  try {
    await ensureSubscription(canvass, { signal });
    return known ?? (await cursorBefore(canvass, Infinity, signal)) ?? "";
  } catch (error) {
    if (error instanceof CanvassError && error.status === 403) return null;
    throw error;
  }
}
