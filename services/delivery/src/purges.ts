import type { Purge } from "@canvass/service";
import { createDeliveriesPurge } from "./storage/purge-deliveries.ts";
import { purgeRangeRedeliveries } from "./storage/range-redeliveries.ts";

const DAY_MS = 86_400_000;

/** Each process keeps its own scan position. Pending deliveries stay. */
export const createPurges = (): readonly Purge[] => [
  { rows: "ended deliveries", keepMs: 30 * DAY_MS, purge: createDeliveriesPurge() },
  { rows: "redelivered ranges", keepMs: 30 * DAY_MS, purge: purgeRangeRedeliveries },
];
