import { startLoop } from "@canvass/events";
import { purgeExpiredIdempotencyRecords } from "@canvass/postgres";
import type { WebhookContext } from "./context.ts";
import { purgeFeed } from "./storage/feed.ts";
import { purgeIntervals } from "./storage/listening-intervals.ts";

const DAY_MS = 86_400_000;
/** Spec 6.7. */
const FEED_RETENTION_MS = 30 * DAY_MS;
/** An event that is handed over later than this finds no record of who listened. */
const INTERVAL_RETENTION_MS = 30 * DAY_MS;
const BATCH = 1000;
const PAUSE_MS = 60_000;

export interface PurgeOptions {
  /** Milliseconds between two looks. Default a minute. */
  pauseMs?: number;
}

/** Deletes what is past its time, in small batches, as long as there is any; reads pay nothing for it. */
export function startPurge(context: WebhookContext, { pauseMs = PAUSE_MS }: PurgeOptions = {}): AsyncDisposable {
  return startLoop({
    minGapMs: 20,
    maxBackOffMs: PAUSE_MS,
    round: async () => ((await purgeOnce(context)) === BATCH ? 0 : pauseMs),
    onFailure: (error, inARow) => {
      if (inARow === 1) context.log.warn({ err: error }, "old feed events could not be purged");
    },
  });
}

async function purgeOnce({ database: { sql }, now }: WebhookContext): Promise<number> {
  const time = now().getTime();
  await purgeExpiredIdempotencyRecords(sql, new Date(time));
  await purgeIntervals(sql, new Date(time - INTERVAL_RETENTION_MS), BATCH);
  return purgeFeed(sql, new Date(time - FEED_RETENTION_MS), BATCH);
}
