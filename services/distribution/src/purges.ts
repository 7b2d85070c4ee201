import { purgeStagedRows } from "@canvass/jobs/imports";
import type { Purge } from "@canvass/service";
import { purgeActivities } from "./storage/contacts/contact-activities.ts";
import { purgeStoredResponseLinks } from "./storage/contacts/stored-response-links.ts";
import { contactImports } from "./storage/imports/imports.ts";

const dayMs = 86_400_000;

/** Contacts of idempotency records are kept as long as those records. */
export const purges: readonly Purge[] = [
  { rows: "contacts of idempotency records", keepMs: 2 * dayMs, purge: purgeStoredResponseLinks },
  { rows: "rows of imports that did not end", keepMs: 3 * dayMs, purge: purgeStagedRows },
  { rows: "what happened to contacts", keepMs: 400 * dayMs, purge: purgeActivities },
  { rows: "imports", keepMs: 30 * dayMs, purge: contactImports.purge },
];
