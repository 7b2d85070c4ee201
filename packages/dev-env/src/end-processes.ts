import { setTimeout as delay } from "node:timers/promises";

import { systemErrorCode } from "@canvass/provisioning/operational-error";
import { startOf } from "./process-start.ts";

/** How a process is stopped: programs by TERM, servers (PostgreSQL, NATS) by INT and after the programs. */
export type StopSignal = "SIGTERM" | "SIGINT";

/** A process that is not mistaken for another one that got its id later. */
export type KnownProcess = { pid: number; start: string };
export type Stoppable = KnownProcess & { stopSignal: StopSignal };

/** `orderly`: each may take ten seconds to end by itself. `now`: programs are killed, servers get three seconds. */
export type Haste = "orderly" | "now";

const PATIENCE_MS = { orderly: 10_000, now: 3_000 };
const POLL_MS = 50;

export function isRunning({ pid, start }: KnownProcess): boolean {
  return startOf(pid) === start;
}

/** Ends these processes, those that use the servers first, and returns the ones that could not be ended. */
export async function endProcesses<P extends Stoppable>(
  processes: readonly P[],
  haste: Haste = "orderly",
  patienceMs = PATIENCE_MS[haste],
): Promise<P[]> {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const stage = processes.filter(({ stopSignal }) => stopSignal === signal);
    for (const process of stage) send(process, haste === "now" ? urgent(signal) : signal);
    await allGone(stage, patienceMs);
    for (const process of stage) send(process, "SIGKILL");
    await allGone(stage, PATIENCE_MS.now);
  }
  return processes.filter(isRunning);
}

/** Resolves when none of them runs any more, or after `patienceMs`. */
export async function allGone(processes: readonly KnownProcess[], patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (processes.some(isRunning) && performance.now() < deadline) await delay(POLL_MS);
}

// QUIT is PostgreSQL's immediate shutdown: nothing committed is lost.
function urgent(signal: StopSignal): NodeJS.Signals {
  return signal === "SIGTERM" ? "SIGKILL" : "SIGQUIT";
}

function send(known: KnownProcess, signal: NodeJS.Signals): void {
  if (!isRunning(known)) return;
  try {
    process.kill(known.pid, signal);
    // One that is frozen (SIGSTOP) would not see the signal.
    process.kill(known.pid, "SIGCONT");
  } catch (error) {
    // One of another user's, or one that has just ended: whoever asked hears which are left.
    if (!["EPERM", "ESRCH"].includes(systemErrorCode(error))) throw error;
  }
}
