import type { Purge } from "@canvass/service";
import { purgeMails } from "./application/mail/purge-mails.ts";

/** The audit log is kept forever. */
export const purges: readonly Purge[] = [{ rows: "mails", keepMs: 30 * 86_400_000, purge: purgeMails }];
