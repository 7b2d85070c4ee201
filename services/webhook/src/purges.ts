import type { Purge } from "@canvass/service";
import { purgeFeed } from "./storage/feed.ts";
import { purgeIntervals } from "./storage/listening-intervals.ts";

const DAY_MS = 86_400_000;

/** Retention. For events older than that, nobody knows who listened. */
export const purges: readonly Purge[] = [
  { rows: "feed events", keepMs: 30 * DAY_MS, purge: purgeFeed },
  { rows: "listening intervals", keepMs: 30 * DAY_MS, purge: purgeIntervals },
];
