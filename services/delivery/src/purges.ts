import { createRowPurge } from "@canvass/postgres";
import type { Purge } from "@canvass/service";
import { purgePlanChanges } from "@canvass/plan-history";
import { purgeDeletedWebhooks } from "./storage/webhooks.ts";
import { createDeliveriesPurge } from "./storage/purge-deliveries.ts";

const DAY_MS = 86_400_000;

/** Each process keeps its own scan position. Pending deliveries stay. */
export const createPurges = (): readonly Purge[] => [
  { rows: "ended deliveries", keepMs: 30 * DAY_MS, purge: createDeliveriesPurge() },
  { rows: "listening intervals", keepMs: 30 * DAY_MS, purge: createRowPurge("listening_intervals", "ended_at") },
  { rows: "plan changes", keepMs: 30 * DAY_MS, purge: purgePlanChanges },
  { rows: "deleted webhooks", keepMs: 30 * DAY_MS, purge: purgeDeletedWebhooks },
  { rows: "redelivered ranges", keepMs: 30 * DAY_MS, purge: createRowPurge("range_redeliveries", "finished_at") },
];
