import { purgeStagedRows } from "@canvass/jobs/imports";
import type { Purge } from "@canvass/service";
import { activityKeptMs } from "./domain/results/activity.ts";
import { startsKeptMs } from "./domain/results/count-start.ts";
import { purgeDownloadLinks } from "./storage/exports/download-links.ts";
import { purgeExactTimes } from "./storage/exact-times.ts";
import { purgeExports } from "./storage/exports/exports.ts";
import { responseImports } from "./storage/imports/response-imports.ts";
import { purgeErasedContacts } from "./storage/respondents/erased-contacts.ts";
import { purgeActivitySlots, purgeStartDays } from "./storage/results/live-activity.ts";

const dayMs = 86_400_000;

/** Exact times stay for the day of the last request and the next one. Cached links outlive a contact by minutes. */
export const purges: readonly Purge[] = [
  { rows: "days of live activity", keepMs: startsKeptMs, purge: purgeStartDays },
  { rows: "slots of live activity", keepMs: activityKeptMs, purge: purgeActivitySlots },
  { rows: "links of downloads", keepMs: 0, purge: purgeDownloadLinks },
  { rows: "exact times of anonymous respondents", keepMs: dayMs, purge: purgeExactTimes },
  { rows: "erased contacts", keepMs: dayMs, purge: purgeErasedContacts },
  { rows: "exports", keepMs: 30 * dayMs, purge: purgeExports },
  { rows: "rows of imports that did not end", keepMs: 3 * dayMs, purge: purgeStagedRows },
  { rows: "imports", keepMs: 30 * dayMs, purge: responseImports.purge },
];
