import { setTimeout as delay } from "node:timers/promises";
import { systemErrorCode } from "@canvass/provisioning/operational-error";

import { processInfo } from "./process-info.ts";

/** SIGTERM for programs; SIGINT for servers (PostgreSQL, NATS), which end after the programs. */
export type StopSignal = "SIGTERM" | "SIGINT";
export type Stoppable = {
  pid: number;
  stopSignal: StopSignal;
  /** As in ProcessInfo. */
  started: string;
};

/** `orderly`: ten seconds for each stage. `now`: kills programs and gives servers three seconds. */
export type StopMode = "orderly" | "now";

const PATIENCE_MS = { orderly: 10_000, now: 3_000 };
const POLL_MS = 50;

/** Ends programs, then servers. Ignores a new process with the pid of an ended one. */
export async function endProcesses(
  processes: readonly Stoppable[],
  stopMode: StopMode = "orderly",
  patienceMs = PATIENCE_MS[stopMode],
): Promise<void> {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const stage = processes.filter(({ stopSignal }) => stopSignal === signal);
    for (const running of stage) send(running, stopMode === "now" ? urgent(signal) : signal);
    await untilEnded(stage, patienceMs);
    for (const running of stage) send(running, "SIGKILL");
    await untilEnded(stage, PATIENCE_MS.now);
  }
}

function isRunning({ pid, started }: Stoppable): boolean {
  return processInfo(pid)?.started === started;
}

async function untilEnded(processes: readonly Stoppable[], patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (processes.some(isRunning) && performance.now() <= deadline) await delay(POLL_MS);
}

// SIGQUIT is PostgreSQL's immediate shutdown, which loses no commit.
function urgent(signal: StopSignal): NodeJS.Signals {
  return signal === "SIGTERM" ? "SIGKILL" : "SIGQUIT";
}

function send(running: Stoppable, signal: NodeJS.Signals): void {
  if (!isRunning(running)) return;
  const { pid } = running;
  try {
    process.kill(pid, signal);
    // A stopped process (SIGSTOP) would not handle the signal.
    process.kill(pid, "SIGCONT");
  } catch (error) {
    if (!["EPERM", "ESRCH"].includes(systemErrorCode(error))) throw error;
  }
}
