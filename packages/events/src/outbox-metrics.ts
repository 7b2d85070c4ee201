import { inTransaction } from "@canvass/postgres";
import { measuredGauge, type Registry } from "@canvass/telemetry";
import type { Pool } from "pg";
import { countUnconfirmed, oldestOccurrence } from "./outbox.ts";

const countEveryMs = 5_000;
const mostCounted = 10_000;

export function showOutbox(metrics: Registry, pool: Pool, now: () => Date): void {
  measuredGauge(metrics, {
    name: "canvass_outbox_oldest_seconds",
    help: "Age of the oldest event that not everybody has confirmed; 0 when there is none",
    async measure() {
      const oldest = await inTransaction(pool, oldestOccurrence);
      return oldest ? Math.max(now().getTime() - oldest.getTime(), 0) / 1000 : 0;
    },
  });
  measuredGauge(metrics, {
    name: "canvass_outbox_events",
    help: `Events that not everybody has confirmed; ${mostCounted} where there are more`,
    everyMs: countEveryMs,
    measure: () => inTransaction(pool, (sql) => countUnconfirmed(sql, mostCounted)),
  });
}
