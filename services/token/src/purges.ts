import type { Purge } from "@canvass/service";
import { purgeMails } from "./mail/purge-mails.ts";

/** What this service keeps, and for how long after it is done with. The audit log is kept. */
export const purges: readonly Purge[] = [{ rows: "mails", keepMs: 30 * 86_400_000, purge: purgeMails }];
