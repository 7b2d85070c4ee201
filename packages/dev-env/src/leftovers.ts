import { rm } from "node:fs/promises";

import { allGone, endProcesses, isRunning } from "./end-processes.ts";
import type { Stoppable } from "./end-processes.ts";
import { OperationalError } from "@canvass/provisioning/operational-error";
import { readRoster } from "./roster.ts";

// As long as a watchdog may need: programs and servers, ten seconds each until they are killed.
const WATCHDOG_PATIENCE_MS = 30_000;

/**
 * Ends what a launcher that was killed left running, as the roster in the file `path` has it, and removes that and
 * `files`. Whether its watchdog calls this or, when that was killed too, the next start, it is one after the other: a
 * start waits for the watchdog. That one brings along what it knows itself. Throws OperationalError when a process can not be ended.
 */
export async function endLeftovers(
  path: string,
  files: readonly string[],
  alsoKnown: readonly Stoppable[] = [],
): Promise<void> {
  const { watchdog, processes } = await readRoster(path);
  if (watchdog !== undefined && watchdog.pid !== process.pid) {
    await allGone([watchdog], WATCHDOG_PATIENCE_MS);
    if (isRunning(watchdog)) process.kill(watchdog.pid, "SIGKILL");
  }
  const [left] = await endProcesses([...processes, ...alsoKnown]);
  if (left !== undefined) {
    throw new OperationalError(
      `Process ${left.pid} of an earlier start still runs and can not be ended; end it first.`,
    );
  }
  for (const file of [...files, path]) await rm(file, { force: true });
}

/** Whether a launcher that was killed left anything running. */
export async function hasLeftovers(path: string): Promise<boolean> {
  const { watchdog, processes } = await readRoster(path);
  return [...(watchdog ? [watchdog] : []), ...processes].some(isRunning);
}
