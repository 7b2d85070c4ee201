import type { Loop } from "@canvass/jobs";
import type { Mailer } from "./sending/mailer.ts";
import type { TokenShell } from "../../context.ts";
import { startMailWorker } from "./mail-worker.ts";
import type { Sql } from "@canvass/postgres";
import { Counter, measuredGauge, type Registry } from "@canvass/telemetry";

export function startMails(shell: TokenShell, mailer: Mailer | undefined): Loop | undefined {
  const { database, now, log, metrics, limitWrites, use } = shell;
  const { sql } = database;
  const attempts = createMailMetrics(metrics, sql, now);
  return mailer && use(startMailWorker({ sql, mailer, now, log, limitWrites, attempts }));
}

function createMailMetrics(metrics: Registry, sql: Sql, now: () => Date): Counter<"outcome"> {
  measuredGauge(metrics, {
    name: "canvass_mails",
    help: "Mails that wait to be sent, and mails given up in the last 30 days",
    labelNames: ["state"],
    measure: () =>
      Promise.all(
        ["waiting", "failed"].map(async (state) => ({ labels: { state }, value: await countMails(sql, state) })),
      ),
  });
  measuredGauge(metrics, {
    name: "canvass_mail_waiting_oldest_seconds",
    help: "Age of the oldest mail that is not sent yet; 0 when none waits",
    async measure() {
      const oldest = await oldestWaiting(sql);
      return oldest ? Math.max(now().getTime() - oldest.getTime(), 0) / 1000 : 0;
    },
  });
  return new Counter({
    name: "canvass_mail_attempts_total",
    help: "Attempts to send a mail, by how they ended",
    labelNames: ["outcome"] as const,
    registers: [metrics],
  });
}

async function countMails(sql: Sql, state: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(`SELECT count(*)::int AS count FROM mails WHERE state = $1`, [
    state,
  ]);
  return row?.count ?? 0;
}

async function oldestWaiting(sql: Sql): Promise<Date | undefined> {
  const [row] = await sql.query<{ at: Date | null }>(`SELECT min(created_at) AS at FROM mails WHERE state = 'waiting'`);
  return row?.at ?? undefined;
}
