import type { Sql } from "@canvass/postgres";
import { Counter, Gauge, type Registry } from "@canvass/telemetry";
import { findNextDueTime } from "../storage/claim-deliveries.ts";

export interface DeliveryMetrics {
  attempts: Counter<"outcome">;
  begun: Counter<"road">;
  dueOldest: Gauge;
}

/** Without a workspace label: there are too many. */
export function createDeliveryMetrics(metrics: Registry, sql: Sql, now: () => Date): DeliveryMetrics {
  const dueOldest = new Gauge({
    name: "canvass_delivery_due_oldest_seconds",
    help: "For how long the webhook that waits longest for a worker has had something due; 0 when none has",
    registers: [metrics],
    async collect() {
      try {
        const oldest = await findNextDueTime(sql);
        this.set(oldest ? Math.max(now().getTime() - oldest.getTime(), 0) / 1000 : 0);
      } catch {
        // The database has its own health check.
      }
    },
  });
  const attempts = new Counter({
    name: "canvass_delivery_attempts_total",
    help: "Attempts to deliver a webhook, by how they ended",
    labelNames: ["outcome"] as const,
    registers: [metrics],
  });
  const begun = new Counter({
    name: "canvass_delivery_begun_total",
    help: "Attempts that began, by road: `new` right after their delivery was queued, `waited` in a queue before",
    labelNames: ["road"] as const,
    registers: [metrics],
  });
  return { attempts, begun, dueOldest };
}
