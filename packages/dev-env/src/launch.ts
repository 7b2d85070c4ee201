import { lockDataDir } from "./data-dir-lock.ts";
import { endLeftovers, findLeftovers, openRoster } from "./processes/roster.ts";
import { openDataDir } from "./data-dir.ts";
import type { DataDir } from "./data-dir.ts";
import { ensureKeys } from "@canvass/provisioning";
import type { SystemKeys } from "@canvass/provisioning";
import { requireFreePort, reservePorts } from "./ports.ts";
import { portNames } from "./process-settings.ts";
import type { LaunchedProcess } from "./process-settings.ts";
import { step } from "./progress.ts";
import type { OnProgress } from "./progress.ts";
import { createSupervisor } from "./supervisor.ts";
import type { ProcessPlan, SupervisorEvent } from "./supervised-process.ts";
import type { Supervisor } from "./supervisor.ts";

export type Launch = {
  dataDir: DataDir;
  keys: SystemKeys;
  /** Loopback ports: `postgres`, `nats`, `gateway:http`, `<process>:rpc`, `<process>:ops`. */
  ports: Readonly<Record<string, number>>;
  host: string;
  port: number;
  supervisor: Supervisor;
  run: (plan: ProcessPlan) => Promise<void>;
  plans: ReadonlyMap<string, ProcessPlan>;
  /** Waits for all tasks, then throws the first failure. After a failure `run` starts nothing more. */
  together: <T extends readonly unknown[]>(tasks: { [Index in keyof T]: Promise<T[Index]> }) => Promise<T>;
};

export type LaunchOptions = {
  dataDir: string;
  host: string;
  port: number;
  processes: readonly LaunchedProcess[];
  restartMs: number | undefined;
  onProgress: OnProgress;
  onEvent: (event: SupervisorEvent) => void;
  signal: AbortSignal | undefined;
  killSignal: AbortSignal | undefined;
};

/** Throws OperationalError if the data directory is unusable or in use, or the port is in use. */
export async function openLaunch(options: LaunchOptions, cleanup: AsyncDisposableStack): Promise<Launch> {
  const { host, processes, signal, killSignal } = options;
  const dataDir = await openDataDir(options.dataDir);
  cleanup.use(lockDataDir(dataDir));
  await clearLeftovers(options.onProgress);
  const names = processes.map(({ name }) => name);
  const keys = await ensureKeys(dataDir.keys, [...names, "nats"]);
  const portsWanted = ["postgres", "nats", "gateway:http", ...portNames(processes)];
  const { ports } = cleanup.use(await reservePorts(dataDir.ports, portsWanted));
  const port = options.port || ports["gateway:http"]!;
  await requireFreePort(port, host);

  const roster = cleanup.use(await openRoster({ files: [dataDir.local] }));
  const { onEvent, restartMs } = options;
  const supervisor = createSupervisor({ roster, onEvent, ...(restartMs !== undefined && { restartMs }) });
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

async function clearLeftovers(onProgress: OnProgress): Promise<void> {
  const leftovers = findLeftovers();
  if (leftovers.length > 0) await step(onProgress, "Leftovers ended", () => endLeftovers(leftovers));
}

/** Stops the gateway first, so that no request fails because of a stopped service; then services; then servers. */
async function stopInOrder(supervisor: Supervisor, names: readonly string[]): Promise<void> {
  const servers = new Set(["postgres", "nats"]);
  const stages = [
    names.filter((name) => name === "gateway"),
    names.filter((name) => name !== "gateway" && !servers.has(name)),
    names.filter((name) => servers.has(name)),
  ];
  for (const stage of stages) await Promise.all(stage.map((name) => supervisor.stop(name)));
}
