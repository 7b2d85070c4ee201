import type { ClockRepair } from "@canvass/service";
import { longestWaitsMs } from "./domain/retry-schedule.ts";
import { repairRanges } from "./storage/range-redeliveries.ts";
import { repairDueTimes } from "./storage/repair-due-times.ts";
import { LEASE_MS } from "./application/worker/attempts.ts";

export const clockRepairs = (waits: readonly number[]): readonly ClockRepair[] => [
  {
    rows: "due times of deliveries",
    repair: (sql, now) => repairDueTimes(sql, now, { leaseMs: LEASE_MS, waitsMs: longestWaitsMs(waits) }),
  },
  { rows: "due times of ranges", repair: repairRanges },
];
