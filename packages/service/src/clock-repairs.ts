import { repairOutbox, repairPoison } from "@canvass/events";
import { startLoop } from "@canvass/jobs";
import type { Pool } from "pg";
import type { ClockRepair } from "./definition.ts";
import type { PurgesOptions } from "./purges.ts";
import type { WatchedClock } from "./watch-clock.ts";

interface ClockRepairsOptions extends Omit<PurgesOptions, "now" | "metrics"> {
  pool: Pool;
  clock: WatchedClock;
}

export const housekeepingRepairs = {
  outbox: { rows: "events of the outbox", repair: repairOutbox },
  poison: { rows: "due times of poison events", repair: repairPoison },
} as const satisfies Record<string, ClockRepair>;

/** Repairs times in the future, such as lease ends, after the clock was set back. Also runs once at the start. */
export function startClockRepairs(
  repairs: readonly ClockRepair[],
  { sql, pool, clock, log, pauseMs }: ClockRepairsOptions,
): AsyncDisposable {
  let current = "";
  const repairAll = async (at: Date): Promise<void> => {
    for (const { rows, repair } of repairs) {
      current = rows;
      await repair(sql, at, pool);
    }
  };
  const round = async (): Promise<number> => {
    await clock.whenSetBack(repairAll);
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
