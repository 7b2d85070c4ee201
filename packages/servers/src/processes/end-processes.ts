import { setTimeout as delay } from "node:timers/promises";
import { systemErrorCode } from "@canvass/provisioning/operational-error";

import { isAlive } from "./process-info.ts";

/** TERM for programs; INT for servers (PostgreSQL, NATS), after the programs. */
export type StopSignal = "SIGTERM" | "SIGINT";
export type Stoppable = { pid: number; stopSignal: StopSignal };

/** `orderly`: ten seconds for each. `now`: kills programs; three seconds for servers. */
export type Haste = "orderly" | "now";

const PATIENCE_MS = { orderly: 10_000, now: 3_000 };
const POLL_MS = 50;

/** Ends the processes, users of the servers first. */
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

export async function allGone(pids: readonly number[], patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (pids.some(isAlive)) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

// QUIT is PostgreSQL's immediate shutdown, which keeps commits.
function urgent(signal: StopSignal): NodeJS.Signals {
  return signal === "SIGTERM" ? "SIGKILL" : "SIGQUIT";
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
    // A frozen process (SIGSTOP) would not get the signal.
    process.kill(pid, "SIGCONT");
  } catch (error) {
    // It has just ended, or belongs to another user.
    if (!["EPERM", "ESRCH"].includes(systemErrorCode(error))) throw error;
  }
}
