import { repairOutbox, repairPoison } from "@canvass/events";
import { startLoop } from "@canvass/jobs";
import type { ClockRepair } from "./definition.ts";
import type { PurgesOptions } from "./purges.ts";

/** Clocks are corrected by less all the time. */
const STEP_MS = 1000;

/** Of the housekeeping tables. */
export const housekeepingRepairs = {
  outbox: { rows: "events of the outbox", repair: repairOutbox },
  poison: { rows: "due times of poison events", repair: repairPoison },
} as const satisfies Record<string, ClockRepair>;

/**
 * Leases, waits and beginnings that a clock wrote while it was ahead would hold until it is there again. Repairs them when
 * the clock went back, and at the start, since an earlier process may have seen it.
 */
export function startClockRepairs(
  repairs: readonly ClockRepair[],
  { sql, now, log, pauseMs }: PurgesOptions,
): AsyncDisposable {
  let latest = Number.POSITIVE_INFINITY;
  let current = "";
  const round = async (): Promise<number> => {
    const at = now();
    if (at.getTime() < latest - STEP_MS) {
      for (const { rows, repair } of repairs) {
        current = rows;
        await repair(sql, at);
      }
      latest = at.getTime();
    }
    latest = Math.max(latest, at.getTime());
    return pauseMs;
  };
  return startLoop({
    minGapMs: 20,
    maxBackOffMs: 60_000,
    round,
    onFailure: (err, inARow) => {
      if (inARow === 1) log.warn({ err, rows: current }, "times of a clock that was set back could not be repaired");
    },
  });
}
