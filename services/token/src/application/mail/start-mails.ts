import type { Loop } from "@canvass/jobs";
import type { Mailer } from "./sending/mailer.ts";
import type { TokenShell } from "../../context.ts";
import { createMailMetrics } from "./mail-metrics.ts";
import { startMailWorker } from "./mail-worker.ts";

export function startMails(shell: TokenShell, mailer: Mailer | undefined): Loop | undefined {
  const { database, now, log, metrics, limitWrites, use } = shell;
  const { sql } = database;
  const attempts = createMailMetrics(metrics, sql, now);
  return mailer && use(startMailWorker({ sql, mailer, now, log, limitWrites, attempts }));
}
