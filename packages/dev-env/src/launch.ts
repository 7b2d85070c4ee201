import type { BackOff } from "./back-off.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { openDataDir } from "./data-dir.ts";
import type { DataDir } from "./data-dir.ts";
import { keepKeys } from "@canvass/provisioning";
import type { SystemKeys } from "@canvass/provisioning";
import { endLeftovers, hasLeftovers } from "./leftovers.ts";
import { requireFreePort, reservePorts } from "./ports.ts";
import { portNames } from "./process-settings.ts";
import type { LaunchedProcess } from "./process-settings.ts";
import { step } from "./progress.ts";
import type { OnProgress } from "./progress.ts";
import { keepRoster } from "./roster.ts";
import { createSupervisor } from "./supervisor.ts";
import type { ProcessPlan, SupervisorEvent } from "./supervised-process.ts";
import type { Supervisor } from "./supervisor.ts";

/** What every step of a start works on. */
export type Launch = {
  dataDir: DataDir;
  keys: SystemKeys;
  /** Loopback ports by name: `postgres`, `nats`, `gateway:http`, `<process>:rpc`, `<process>:ops`. */
  ports: Readonly<Record<string, number>>;
  /** Where the gateway will listen. */
  host: string;
  port: number;
  supervisor: Supervisor;
  /** Runs a process from now on and resolves when it is ready. */
  run: (plan: ProcessPlan) => Promise<void>;
  plans: ReadonlyMap<string, ProcessPlan>;
  /** Waits for all; after the first failure nothing new is begun, and that failure is thrown when all have ended. */
  together: <T extends readonly unknown[]>(tasks: { [Index in keyof T]: Promise<T[Index]> }) => Promise<T>;
};

export type LaunchOptions = {
  dataDir: string;
  host: string;
  /** 0: any free one, kept for the next start. */
  port: number;
  processes: readonly LaunchedProcess[];
  backOff: BackOff;
  onProgress: OnProgress;
  onEvent: (event: SupervisorEvent) => void;
  signal: AbortSignal | undefined;
  killSignal: AbortSignal | undefined;
};

/**
 * Takes the data directory, with its keys and ports, and gets the supervisor ready. What must be undone at the end is
 * pushed onto `cleanup`. Throws OperationalError when the directory can not be used, is in use, or the port is taken.
 */
export async function openLaunch(options: LaunchOptions, cleanup: AsyncDisposableStack): Promise<Launch> {
  const { host, processes, signal, killSignal } = options;
  const dataDir = await openDataDir(options.dataDir);
  cleanup.use(lockDataDir(dataDir.lock));
  await takeOver(dataDir, options.onProgress);
  const names = processes.map(({ name }) => name);
  const keys = await keepKeys(dataDir.keys, names);
  const portsWanted = ["postgres", "nats", "gateway:http", ...portNames(processes)];
  const { ports } = cleanup.use(await reservePorts(dataDir.ports, portsWanted));
  const port = options.port || ports["gateway:http"]!;
  await requireFreePort(port, host);

  const roster = cleanup.use(await keepRoster(dataDir.roster, [dataDir.local]));
  const supervisor = createSupervisor({ roster, backOff: options.backOff, onEvent: options.onEvent });
  const killAll = () => void supervisor.killAll();
  killSignal?.addEventListener("abort", killAll);
  cleanup.defer(() => killSignal?.removeEventListener("abort", killAll));
  const plans = new Map<string, ProcessPlan>();
  cleanup.defer(() => stopInOrder(supervisor, [...plans.keys()]));
  const failure = new AbortController();
  const ends = AbortSignal.any([failure.signal, ...(signal ? [signal] : [])]);
  return {
    dataDir,
    keys,
    ports,
    host,
    port,
    supervisor,
    plans,
    run(plan) {
      ends.throwIfAborted();
      plans.set(plan.name, plan);
      supervisor.start(plan);
      return supervisor.waitReady(plan.name, ends);
    },
    async together(tasks) {
      for (const task of tasks) task.catch((error: unknown) => failure.abort(error));
      await Promise.allSettled(tasks);
      ends.throwIfAborted();
      return Promise.all(tasks);
    },
  };
}

/** Ends what an earlier launcher of this directory left when it was killed. The directory is ours by now. */
async function takeOver({ roster, local }: DataDir, onProgress: OnProgress): Promise<void> {
  const end = () => endLeftovers(roster, [local]);
  await ((await hasLeftovers(roster)) ? step(onProgress, "Leftovers ended", end) : end());
}

/** The gateway first, so that no request meets half a system; then the services; then what they stand on. */
async function stopInOrder(supervisor: Supervisor, names: readonly string[]): Promise<void> {
  const servers = new Set(["postgres", "nats"]);
  const stages = [
    names.filter((name) => name === "gateway"),
    names.filter((name) => name !== "gateway" && !servers.has(name)),
    names.filter((name) => servers.has(name)),
  ];
  for (const stage of stages) await Promise.all(stage.map((name) => supervisor.stop(name)));
}
