import { createRowPurge } from "@canvass/postgres";
import type { Purge } from "@canvass/service";
import { purgeFeed } from "./storage/feed.ts";
import { purgePlanChanges } from "@canvass/plan-history";
import { purgeExpiredSecrets } from "./storage/sealed-secrets.ts";

const DAY_MS = 86_400_000;

/** After 30 days it is unknown who listened, and which plan applied, at the time of an event. */
export const purges: readonly Purge[] = [
  { rows: "feed events", keepMs: 30 * DAY_MS, purge: purgeFeed },
  { rows: "listening intervals", keepMs: 30 * DAY_MS, purge: createRowPurge("listening_intervals", "ended_at") },
  { rows: "expired signing secrets", keepMs: 0, purge: purgeExpiredSecrets },
  { rows: "plan changes", keepMs: 30 * DAY_MS, purge: purgePlanChanges },
];
