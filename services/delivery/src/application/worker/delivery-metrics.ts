import type { Sql } from "@canvass/postgres";
import { Counter, measuredGauge, type Registry } from "@canvass/telemetry";
import { findNextDueTime } from "../../storage/pick-endpoints.ts";

export interface DeliveryMetrics {
  attempts: Counter<"outcome">;
  begun: Counter<"origin">;
}

/** No workspace label: there would be too many. */
export function createDeliveryMetrics(metrics: Registry, sql: Sql, now: () => Date): DeliveryMetrics {
  measuredGauge(metrics, {
    name: "canvass_delivery_due_oldest_seconds",
    help: "For how long the webhook that waits longest for a worker has had something due; 0 when none has",
    async measure() {
      const oldest = await findNextDueTime(sql);
      return oldest ? Math.max(now().getTime() - oldest.getTime(), 0) / 1000 : 0;
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
    help: "Attempts that began, by origin: `new` right after their delivery was queued, `waited` in a queue before",
    labelNames: ["origin"] as const,
    registers: [metrics],
  });
  return { attempts, begun };
}

export interface SendingFigures {
  running: number;
  /** Attempts that ended and are not recorded. */
  unrecorded: number;
}

export function registerSendingMetrics(metrics: Registry, figures: () => SendingFigures): void {
  measuredGauge(metrics, {
    name: "canvass_delivery_in_hand",
    help: "Deliveries that this process has in hand, by state",
    labelNames: ["state"],
    measure: () => Object.entries(figures()).map(([state, value]) => ({ labels: { state }, value })),
  });
}
