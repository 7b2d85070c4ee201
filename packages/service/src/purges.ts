import { purgeConsumedEvents } from "@canvass/events";
import { startLoop } from "@canvass/jobs";
import { purgeExpiredIdempotencyRecords, type Sql } from "@canvass/postgres";
import { Counter, type Logger, type Registry } from "@canvass/telemetry";
import type { Purge } from "./definition.ts";

const DAY_MS = 86_400_000;
const BATCH = 1000;

/** Purges of the tables that every service may have. Idempotency records have their own expiry. */
export const housekeepingPurges = {
  idempotencyRecords: {
    rows: "expired idempotency records",
    keepMs: 0,
    purge: (sql, before) => purgeExpiredIdempotencyRecords(sql, before),
  },
  consumedEvents: { rows: "consumed events", keepMs: 7 * DAY_MS, purge: purgeConsumedEvents },
} as const satisfies Record<string, Purge>;

export interface PurgesOptions {
  sql: Sql;
  now: () => Date;
  log: Logger;
  metrics: Registry;
  pauseMs: number;
}

/** Deletes rows past their retention in small batches. Every replica may run it. */
export function startPurges(
  purges: readonly Purge[],
  { sql, now, log, metrics, pauseMs }: PurgesOptions,
): AsyncDisposable {
  const measured = purgeMetrics(metrics);
  let current = "";
  const round = async (): Promise<number> => {
    let more = false;
    for (const { rows, keepMs, purge } of purges) {
      current = rows;
      const gone = await purge(sql, new Date(now().getTime() - keepMs), BATCH);
      measured.rows.inc({ rows }, gone);
      more ||= gone >= BATCH;
    }
    measured.rounds.inc({ outcome: "succeeded" });
    return more ? 0 : pauseMs;
  };
  return startLoop({
    minGapMs: 20,
    maxBackOffMs: 60_000,
    round,
    onFailure: (err, inARow) => {
      measured.rounds.inc({ outcome: "failed" });
      if (inARow === 1) log.warn({ err, rows: current }, "rows past their retention could not be deleted");
    },
  });
}

function purgeMetrics(metrics: Registry) {
  const rows = new Counter({
    name: "canvass_purged_rows_total",
    help: "Rows deleted past their retention",
    labelNames: ["rows"] as const,
    registers: [metrics],
  });
  const rounds = new Counter({
    name: "canvass_purge_rounds_total",
    help: "Rounds of deleting rows past their retention, by outcome",
    labelNames: ["outcome"] as const,
    registers: [metrics],
  });
  return { rows, rounds };
}
