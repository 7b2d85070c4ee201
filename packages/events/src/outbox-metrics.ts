import { inTransaction } from "@canvass/postgres";
import { measuredGauge, type Registry } from "@canvass/telemetry";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { countUnconfirmed, oldestOccurrence } from "./outbox.ts";

const countEveryMs = 5_000;
const mostCounted = 10_000;

export function registerOutboxMetrics(metrics: Registry, pool: Pool, now: () => Date): void {
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

const minuteMs = 60_000;

/**
 * Registers the number of events that were found in the outbox although they should have been published right after
 * their commit. Returns the function that counts them.
 */
export function registerLateEvents(metrics: Registry): (eventIds: readonly string[]) => void {
  const late = new LRUCache<string, true>({ max: mostCounted, ttl: 10 * minuteMs });
  measuredGauge(metrics, {
    name: "canvass_outbox_late_events",
    help: `Events that did not leave right after their commit but waited to be found, of the last ten minutes; ${mostCounted} where there are more`,
    measure() {
      late.purgeStale();
      return late.size;
    },
  });
  return (eventIds) => {
    for (const eventId of eventIds) late.set(eventId, true);
  };
}
