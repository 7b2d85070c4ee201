import { setTimeout as delay } from "node:timers/promises";

import { endProcess, sendSignal } from "./processes/program.ts";
import type { OnSpawn, Roster } from "./processes/roster.ts";
import type { RunningProcess } from "./processes/program.ts";
import type { StopSignal } from "./processes/end-processes.ts";
import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";
import { sizeOf } from "./servers/log-file.ts";
import { lastWords } from "./log-line.ts";

export type ProcessPlan = {
  name: string;
  logFile: string;
  stopSignal: StopSignal;
  start: (onSpawn: OnSpawn) => Promise<RunningProcess>;
  isReady: () => Promise<boolean>;
};

export type SupervisorEvent =
  | { type: "ready"; name: string; pid: number; restarted: boolean }
  | { type: "died"; name: string; reason: string; restartInMs: number }
  | { type: "killed"; name: string; afterMs: number };

export type SupervisionOptions = {
  roster: Roster;
  onEvent: (event: SupervisorEvent) => void;
  /** Pause before a restart. */
  restartMs: number;
  stopDeadlineMs: number;
  readyDeadlineMs: number;
};

export type SupervisedProcess = {
  pid: () => number | undefined;
  isStopped: () => boolean;
  waitReady: (signal?: AbortSignal) => Promise<void>;
  kill: (signal: NodeJS.Signals) => Promise<void>;
  /** Stops restarting; `waitReady` fails with `what`. */
  giveUp: (what: "stopped" | "killed") => void;
  stop: () => Promise<void>;
};

const READY_POLL_MS = 75;

/** Restarts a process whenever it ends. One that ends before it was ever ready is given up. */
export function superviseProcess(plan: ProcessPlan, options: SupervisionOptions): SupervisedProcess {
  const { name } = plan;
  const { roster, onEvent, restartMs, stopDeadlineMs, readyDeadlineMs } = options;
  const stopping = new AbortController();
  let running: RunningProcess | undefined;
  let readiness = newReadiness();
  let logBegin = 0;
  let isReady = false;
  let wasReady = false;

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      const death = await runOnce();
      if (stopping.signal.aborted) return;
      if (!wasReady) {
        readiness.reject(death.neverStarted ? new OperationalError(death.reason) : await neverReady(death.reason));
        return;
      }
      onEvent({ type: "died", name, reason: death.reason, restartInMs: restartMs });
      await delay(restartMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function runOnce(): Promise<{ reason: string; neverStarted: boolean }> {
    let instance: RunningProcess;
    logBegin = await sizeOf(plan.logFile);
    try {
      instance = await plan.start(roster.list(plan.stopSignal));
    } catch (error) {
      return { reason: reasonOf(error), neverStarted: true };
    }
    running = instance;
    if (stopping.signal.aborted) void end(instance);
    void noticeReadiness(instance);
    const reason = await instance.exited;
    running = undefined;
    if (isReady) readiness = newReadiness();
    isReady = false;
    return { reason, neverStarted: false };
  }

  async function noticeReadiness(instance: RunningProcess): Promise<void> {
    const isCurrent = () => running === instance && !stopping.signal.aborted;
    while (isCurrent()) {
      if ((await plan.isReady()) && isCurrent()) {
        onEvent({ type: "ready", name, pid: instance.pid, restarted: wasReady });
        isReady = true;
        wasReady = true;
        readiness.resolve();
        return;
      }
      await delay(READY_POLL_MS);
    }
  }

  function end(instance: RunningProcess): Promise<void> {
    const onKill = () => onEvent({ type: "killed", name, afterMs: stopDeadlineMs });
    return endProcess(instance, plan.stopSignal, stopDeadlineMs, onKill);
  }

  async function waitReady(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const impatience = Promise.withResolvers<never>();
    const onAbort = () => impatience.reject(signal?.reason);
    const onDeadline = async () => impatience.reject(await neverReady(`not ready after ${readyDeadlineMs / 1000} s`));
    signal?.addEventListener("abort", onAbort);
    const timer = setTimeout(() => void onDeadline(), readyDeadlineMs);
    try {
      await Promise.race([readiness.promise, impatience.promise]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async function neverReady(reason: string): Promise<OperationalError> {
    const words = await lastWords(name, plan.logFile, logBegin);
    return new OperationalError(`The ${name} process did not become ready (${reason}). ${words}`);
  }

  function giveUp(what: "stopped" | "killed"): void {
    stopping.abort();
    readiness.reject(new OperationalError(`The ${name} process was ${what}.`));
  }

  const loop = keepRunning();
  return {
    pid: () => running?.pid,
    isStopped: () => stopping.signal.aborted,
    waitReady,
    async kill(signal) {
      if (running === undefined) return;
      const { exited } = running;
      sendSignal(running, signal);
      if (signal !== "SIGSTOP" && signal !== "SIGCONT") await exited;
    },
    giveUp,
    async stop() {
      giveUp("stopped");
      if (running !== undefined) await end(running);
      await loop;
    },
  };
}

function newReadiness(): PromiseWithResolvers<void> {
  const readiness = Promise.withResolvers<void>();
  // If nothing waits when the process is given up, there is no unhandled rejection.
  readiness.promise.catch(() => {});
  return readiness;
}
