import { createRowPurge } from "@canvass/postgres";
import { purgeStagedRows } from "@canvass/jobs/imports";
import type { Purge } from "@canvass/service";
import { activityKeptMs } from "./domain/results/counters.ts";
import { startsKeptMs } from "./domain/results/count-start.ts";
import { purgeExactTimes } from "./storage/exact-times.ts";
import { purgeExports } from "./storage/exports/exports.ts";
import { responseImports } from "./storage/imports/response-imports.ts";

const dayMs = 86_400_000;

/**
 * Exact times stay for the day of the last request and the next one. The row of an erased contact is needed until its
 * erasure has ended, and every retry renews it.
 */
export const purges: readonly Purge[] = [
  { rows: "days of live activity", keepMs: startsKeptMs, purge: createRowPurge("start_days", "starts_at") },
  { rows: "slots of live activity", keepMs: activityKeptMs, purge: createRowPurge("activity_slots", "starts_at") },
  { rows: "links of downloads", keepMs: 0, purge: createRowPurge("download_links", "expires_at") },
  { rows: "exact times of anonymous respondents", keepMs: dayMs, purge: purgeExactTimes },
  { rows: "erased contacts", keepMs: dayMs, purge: createRowPurge("erased_contacts", "erased_at") },
  { rows: "exports", keepMs: 30 * dayMs, purge: purgeExports },
  { rows: "rows of imports that did not end", keepMs: 3 * dayMs, purge: purgeStagedRows },
  { rows: "imports", keepMs: 30 * dayMs, purge: responseImports.purge },
];
