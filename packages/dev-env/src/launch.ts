import { join } from "node:path";
import { readLocalFile } from "@canvass/operator";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { OperationalError } from "@canvass/provisioning/operational-error";

import type { BackOff } from "./processes/back-off.ts";
import type { ProcessInfo } from "./processes/process-info.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { allGone } from "./processes/end-processes.ts";
import { keepWatchdog } from "./processes/watchdog.ts";
import { processInfo } from "./processes/process-info.ts";
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
  backOff: BackOff;
  onProgress: OnProgress;
  onEvent: (event: SupervisorEvent) => void;
  signal: AbortSignal | undefined;
  killSignal: AbortSignal | undefined;
};

/** Throws OperationalError if the data directory is unusable or in use, or the port is taken. */
export async function openLaunch(options: LaunchOptions, cleanup: AsyncDisposableStack): Promise<Launch> {
  const { host, processes, signal, killSignal } = options;
  const dataDir = await openDataDir(options.dataDir);
  const lock = cleanup.use(lockDataDir(dataDir));
  await outlastWatchdog(lock.watchdog, options.onProgress);
  await refuseOrphans(dataDir, processes);
  const names = processes.map(({ name }) => name);
  const keys = await ensureKeys(dataDir.keys, [...names, "nats"]);
  const portsWanted = ["postgres", "nats", "gateway:http", ...portNames(processes)];
  const { ports } = cleanup.use(await reservePorts(dataDir.ports, portsWanted));
  const port = options.port || ports["gateway:http"]!;
  await requireFreePort(port, host);

  const watchdog = cleanup.use(await keepWatchdog({ files: [dataDir.local], onStart: lock.nameWatchdog }));
  const supervisor = createSupervisor({ watchdog, backOff: options.backOff, onEvent: options.onEvent });
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

// Programs and then servers get ten seconds before they are killed.
const WATCHDOG_PATIENCE_MS = 30_000;

async function outlastWatchdog(pid: number | undefined, onProgress: OnProgress): Promise<void> {
  if (pid !== undefined) await step(onProgress, "Leftovers ended", () => allGone([pid], WATCHDOG_PATIENCE_MS));
}

/** Throws OperationalError if processes of an earlier start still run although its launcher and watchdog do not. */
async function refuseOrphans({ root, local }: DataDir, table: readonly LaunchedProcess[]): Promise<void> {
  const { processes = [] } = (await readLocalFile(local).catch(() => undefined)) ?? {};
  const paths = [root, ...table.map(({ main }) => join(WORKSPACE_ROOT, main))];
  const isOurs = (info?: ProcessInfo) => paths.some((path) => info?.command.includes(path));
  const orphans = processes.map(({ pid }) => pid).filter((pid) => isOurs(processInfo(pid)));
  if (orphans.length === 0) return;
  const pids = orphans.join(" ");
  throw new OperationalError(
    `Processes of an earlier start still run, whose watchdog was killed: end them (kill ${pids}).`,
  );
}

/** Stops the gateway first, so that no request fails for lack of a service; then services; then servers. */
async function stopInOrder(supervisor: Supervisor, names: readonly string[]): Promise<void> {
  const servers = new Set(["postgres", "nats"]);
  const stages = [
    names.filter((name) => name === "gateway"),
    names.filter((name) => name !== "gateway" && !servers.has(name)),
    names.filter((name) => servers.has(name)),
  ];
  for (const stage of stages) await Promise.all(stage.map((name) => supervisor.stop(name)));
}
