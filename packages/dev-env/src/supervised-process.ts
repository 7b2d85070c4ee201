import { setTimeout as delay } from "node:timers/promises";

import { backOffMs, deathsInARow } from "./processes/back-off.ts";
import { endProcess, sendSignal } from "./processes/program.ts";
import type { BackOff } from "./processes/back-off.ts";
import type { OnSpawn } from "./processes/spawn-listed.ts";
import type { RunningProcess } from "./processes/program.ts";
import type { StopSignal } from "./processes/end-processes.ts";
import type { Watchdog } from "./processes/watchdog.ts";
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
  watchdog: Watchdog;
  onEvent: (event: SupervisorEvent) => void;
  backOff: BackOff;
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

/** Deaths in a row after which a process that was never ready is given up. */
const HOPELESS_AFTER = 3;
/** Exit code for invalid settings (`runProcess` of @canvass/telemetry). A restart would fail again. */
const MISCONFIGURED = "exit code 78";
const READY_POLL_MS = 75;

export function superviseProcess(plan: ProcessPlan, options: SupervisionOptions): SupervisedProcess {
  const { name } = plan;
  const { watchdog, onEvent, backOff, stopDeadlineMs, readyDeadlineMs } = options;
  const stopping = new AbortController();
  let running: RunningProcess | undefined;
  let readiness = newReadiness();
  let logBegin = 0;
  let isReady = false;
  let wasReady = false;

  async function keepRunning(): Promise<void> {
    for (let deaths = 0; !stopping.signal.aborted;) {
      const startedAt = performance.now();
      const death = await runOnce();
      if (stopping.signal.aborted) return;
      deaths = deathsInARow(deaths, performance.now() - startedAt, backOff);
      const hopeless = death.neverStarted || death.reason === MISCONFIGURED || deaths >= HOPELESS_AFTER;
      if (!wasReady && hopeless) {
        readiness.reject(death.neverStarted ? new OperationalError(death.reason) : await neverReady(death.reason));
        return;
      }
      const restartInMs = backOffMs(deaths, backOff);
      onEvent({ type: "died", name, reason: death.reason, restartInMs });
      await delay(restartInMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function runOnce(): Promise<{ reason: string; neverStarted: boolean }> {
    let instance: RunningProcess;
    logBegin = await sizeOf(plan.logFile);
    try {
      instance = await plan.start(watchdog.watch(plan.stopSignal));
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
