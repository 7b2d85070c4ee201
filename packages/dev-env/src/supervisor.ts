import { superviseProcess } from "./supervised-process.ts";
import type { ProcessPlan, SupervisedProcess, SupervisionOptions } from "./supervised-process.ts";

export type Supervisor = {
  start: (plan: ProcessPlan) => void;
  /** Throws OperationalError with the last log lines if the process never becomes ready. */
  waitReady: (name: string, signal?: AbortSignal) => Promise<void>;
  waitAllReady: () => Promise<void>;
  pid: (name: string) => number | undefined;
  /** Resolves when the signal has ended the process, which is then restarted; at once for SIGSTOP and SIGCONT. */
  kill: (name: string, signal: NodeJS.Signals) => Promise<void>;
  stop: (name: string) => Promise<void>;
  killAll: () => Promise<void>;
};

const DEFAULTS = { restartMs: 1_000, stopDeadlineMs: 10_000, readyDeadlineMs: 60_000 };

export type SupervisorOptions = Partial<SupervisionOptions> & Pick<SupervisionOptions, "roster" | "onEvent">;

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const supervision = { ...DEFAULTS, ...options };
  const processes = new Map<string, SupervisedProcess>();
  const named = (name: string): SupervisedProcess => {
    const process = processes.get(name);
    if (process === undefined) throw new Error(`no process is called ${name}`);
    return process;
  };
  return {
    start(plan) {
      if (processes.get(plan.name)?.isStopped() === false) throw new Error(`${plan.name} already runs`);
      processes.set(plan.name, superviseProcess(plan, supervision));
    },
    waitReady: async (name, signal) => named(name).waitReady(signal),
    async waitAllReady() {
      const wanted = [...processes.values()].filter((process) => !process.isStopped());
      await Promise.all(wanted.map((process) => process.waitReady()));
    },
    pid: (name) => processes.get(name)?.pid(),
    kill: async (name, signal) => named(name).kill(signal),
    stop: async (name) => processes.get(name)?.stop(),
    async killAll() {
      for (const process of processes.values()) process.giveUp("killed");
      await options.roster.end("now");
    },
  };
}
