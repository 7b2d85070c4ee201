import type { Purge } from "@canvass/service";
import { purgeFeed } from "./storage/feed.ts";
import { purgeIntervals } from "./storage/listening-intervals.ts";
import { purgeExpiredSecrets } from "./storage/sealed-secrets.ts";

const DAY_MS = 86_400_000;

/** Retention. The listeners of older events are unknown. */
export const purges: readonly Purge[] = [
  { rows: "feed events", keepMs: 30 * DAY_MS, purge: purgeFeed },
  { rows: "listening intervals", keepMs: 30 * DAY_MS, purge: purgeIntervals },
  { rows: "expired signing secrets", keepMs: 0, purge: purgeExpiredSecrets },
];
