import { repairPlanChanges } from "@canvass/plan-history";
import type { ClockRepair } from "@canvass/service";
import { longestWaitsMs } from "./domain/retry-schedule.ts";
import { repairRanges } from "./storage/range-redeliveries.ts";
import { repairDueTimes } from "./storage/repair-due-times.ts";
import { LEASE_MS } from "./application/worker/attempts.ts";

/** The clock of the token service may be ahead by this much although no clock was set back. */
const SKEW_MS = 10_000;

export const clockRepairs = (waits: readonly number[]): readonly ClockRepair[] => [
  {
    rows: "due times of deliveries",
    repair: (sql, now) => repairDueTimes(sql, now, { leaseMs: LEASE_MS, waitsMs: longestWaitsMs(waits) }),
  },
  { rows: "due times of ranges", repair: repairRanges },
  {
    rows: "plan changes",
    repair: (sql, now) => repairPlanChanges(sql, now, new Date(now.getTime() + SKEW_MS)),
  },
];
