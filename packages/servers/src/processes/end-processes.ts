import { setTimeout as delay } from "node:timers/promises";
import { systemErrorCode } from "@canvass/provisioning/operational-error";

import { isAlive } from "./process-info.ts";

/** How a process is stopped: programs by TERM, servers (PostgreSQL, NATS) by INT and after the programs. */
export type StopSignal = "SIGTERM" | "SIGINT";
export type Stoppable = { pid: number; stopSignal: StopSignal };

/** `orderly`: each may take ten seconds to end by itself. `now`: programs are killed, servers get three seconds. */
export type Haste = "orderly" | "now";

const PATIENCE_MS = { orderly: 10_000, now: 3_000 };
const POLL_MS = 50;

/** Ends these processes, those that use the servers first. */
export async function endProcesses(
  processes: readonly Stoppable[],
  haste: Haste = "orderly",
  patienceMs = PATIENCE_MS[haste],
): Promise<void> {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const stage = processes.filter(({ stopSignal }) => stopSignal === signal).map(({ pid }) => pid);
    for (const pid of stage) send(pid, haste === "now" ? urgent(signal) : signal);
    await allGone(stage, patienceMs);
    for (const pid of stage) send(pid, "SIGKILL");
    await allGone(stage, PATIENCE_MS.now);
  }
}

/** Resolves with whether none of them runs any more, after `patienceMs` at the latest. */
export async function allGone(pids: readonly number[], patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (pids.some(isAlive)) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

// QUIT is PostgreSQL's immediate shutdown: nothing committed is lost.
function urgent(signal: StopSignal): NodeJS.Signals {
  return signal === "SIGTERM" ? "SIGKILL" : "SIGQUIT";
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
    // One that is frozen (SIGSTOP) would not see the signal.
    process.kill(pid, "SIGCONT");
  } catch (error) {
    // One that has just ended, or one of another user.
    if (!["EPERM", "ESRCH"].includes(systemErrorCode(error))) throw error;
  }
}
