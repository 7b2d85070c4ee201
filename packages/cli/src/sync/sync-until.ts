import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeFolder, OperationalError, reasonOf } from "@canvass/provisioning";
import { CanvassError } from "@canvass/sdk";
import type { Session } from "../define-command.ts";
import { outageLine, recoveryLine } from "../listen/lines.ts";
import { untilReached } from "../listen/until-reached.ts";
import { catchUp, nextWalk } from "./catch-up.ts";
import { createDatabase } from "./create-database.ts";
import { describeElements } from "./describe-elements.ts";
import { openFeed } from "./open-feed.ts";
import { openDatabase } from "./open-database.ts";
import { privateFiles } from "./private-files.ts";
import { readElements, type KnownVersions } from "./read-elements.ts";
import { ensureState, type SyncState } from "./sync-state.ts";
import { writeParquet } from "./write-parquet.ts";

export type SyncWish = {
  surveyId: string;
  /** A file whose name ends in `.duckdb`, or a folder for files of Parquet with their database. */
  to: string;
  follow: boolean;
  pollMs?: number;
};

/** Makes a local database equal to the answers of a survey, and keeps it so until it is stopped if `follow` is set. */
export async function syncUntil(signal: AbortSignal, session: Session, wish: SyncWish) {
  const { surveyId, to, follow, pollMs = 5_000 } = wish;
  const [{ url }, canvass] = [await session.access(), await session.canvass()];
  const reach = <Result>(work: () => Promise<Result>) =>
    follow ? untilReached(work, { signal, say: session.note, pollMs }) : work();
  const { settings } = await reach(() => canvass.surveys.get(surveyId, { signal }));
  using _private = privateFiles();
  const folder = to.endsWith(".duckdb") ? undefined : parquetFolder(to);
  const path = folder === undefined ? to : join(folder, "canvass.duckdb");
  const owner = { url, surveyId };
  await createDatabase(path, owner);
  using database = await openDatabase(path);
  let state = await ensureState(database, owner);
  const { feedCursor } = state;
  state = { ...state, feedCursor: await reach(() => openFeed(canvass, feedCursor, signal)) };
  // With full anonymity times are days, by which changes since the last run are not found.
  const isDaily = settings.privacy?.anonymity === "full";
  if (isDaily && state.walkEnded) state = nextWalk(state);
  // Each round reads the answers of up to three days again.
  const pauseMs = isDaily ? 12 * pollMs : pollMs;
  const syncing = { canvass, database, signal, progress: session.progress, isDaily };
  const known: KnownVersions = new Map();
  let read = 0;
  let isCurrent = false;
  let isOut = false;
  for (;;) {
    try {
      if (isDue(state)) state = nextWalk(state);
      const caughtUp = await catchUp(syncing, state, { comparesIds: !isCurrent });
      state = caughtUp.state;
      read += caughtUp.read;
      // A failure may have come after the rows were stored and before these were written.
      if (!isCurrent || isOut || caughtUp.read > 0) {
        await describeElements(database, await readElements(canvass, { surveyId, known, signal }));
        if (folder !== undefined) await writeParquet(database, folder);
      }
      if (isOut) session.note(recoveryLine);
      if (follow && !isCurrent) session.note(`${to} is up to date, and stays so. Ctrl-C ends it.`);
      else if (follow && caughtUp.read > 0) session.note(`${timeOfDay()}  respondents read: ${caughtUp.read}`);
      [isCurrent, isOut] = [true, false];
    } catch (error) {
      if (signal.aborted) break;
      if (!isWaitedOut(error, follow)) throw error;
      if (!isOut) session.note(outageLine(error));
      isOut = true;
      const kept = await ensureState(database, owner);
      state = { ...kept, feedCursor: kept.feedCursor ?? state.feedCursor };
    }
    session.progress(undefined);
    if (isCurrent && !follow) break;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
  }
  const [counts = {}] = await database.read(COUNT);
  return { to, surveyId, ...counts, read, stopped: signal.aborted };
}

const COUNT = `SELECT (SELECT count(*) FROM respondents)::INTEGER AS respondents,
(SELECT count(*) FROM answers)::INTEGER AS answers`;

/** One whole walk a day finds changes that feed, stream, counts and ids do not report, such as an anonymized contact. */
const isDue = ({ walkEnded, changesFrom }: SyncState): boolean =>
  walkEnded && (changesFrom === null || Date.now() - Date.parse(changesFrom) > 86_400_000);

/** Every run waits while its calls are limited. One that follows also waits for the end of an outage. */
function isWaitedOut(error: unknown, follow: boolean): error is CanvassError {
  return error instanceof CanvassError && (error.code === "rate_limited" || (follow && error.retryable));
}

function parquetFolder(path: string): string {
  try {
    makeFolder(path);
  } catch (error) {
    throw new OperationalError(`${path} cannot be made (${reasonOf(error)}).`, { cause: error });
  }
  return path;
}

const timeOfDay = (): string => new Date().toTimeString().slice(0, 8);
