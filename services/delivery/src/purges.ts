import type { Purge } from "@canvass/service";
import { purgeDeliveries } from "./storage/purge-deliveries.ts";
import { purgeRangeRedeliveries } from "./storage/range-redeliveries.ts";

const DAY_MS = 86_400_000;

/** Retention. What is pending stays. */
export const purges: readonly Purge[] = [
  { rows: "ended deliveries", keepMs: 30 * DAY_MS, purge: purgeDeliveries },
  { rows: "redelivered ranges", keepMs: 30 * DAY_MS, purge: purgeRangeRedeliveries },
];
