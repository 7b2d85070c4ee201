import { createRowPurge } from "@canvass/postgres";
import { purgeStagedRows } from "@canvass/jobs/imports";
import type { Purge } from "@canvass/service";
import { contactImports } from "./storage/imports/imports.ts";

const dayMs = 86_400_000;

/** Contacts of idempotency records are kept for longer than those records, which expire after a day. */
export const purges: readonly Purge[] = [
  {
    rows: "contacts of idempotency records",
    keepMs: 2 * dayMs,
    purge: createRowPurge("contact_replays", "recorded_at"),
  },
  { rows: "rows of imports that did not end", keepMs: 3 * dayMs, purge: purgeStagedRows },
  { rows: "what happened to contacts", keepMs: 400 * dayMs, purge: createRowPurge("contact_activities", "at") },
  { rows: "imports", keepMs: 30 * dayMs, purge: contactImports.purge },
];
