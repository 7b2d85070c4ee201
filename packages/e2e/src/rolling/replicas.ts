import { createWriteStream, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { System } from "@canvass/dev-env";
import { PROCESSES } from "@canvass/processes";
import { programEnvironment } from "@canvass/testing";
import { startSecondProcess, type SecondProcess } from "../second-process.ts";

/** One of the two processes of a program. */
export interface Replica {
  name: string;
  opsUrl: string;
  /** A gateway's address for requests. */
  baseUrl: string;
  /** Asks the process to stop and waits for its end. The second replica throws unless it exits with status 0. */
  stop(): Promise<void>;
  /** Resolves when the process is ready. */
  start(): Promise<void>;
}

export interface Replicas extends AsyncDisposable {
  all: readonly Replica[];
}

const firstAddress = "127.0.0.1";
const secondAddress = "127.0.0.2";

const addressesFile = (dataDir: string) => join(dataDir, "replica-addresses.json");

/** Environment of every process in a system with replicas. */
export function replicaEnvironment(dataDir: string): Record<string, string> {
  return {
    CANVASS_REPLICA_ADDRESSES: addressesFile(dataDir),
    ...programEnvironment(),
    NODE_OPTIONS: `--import=${new URL("./name-service.ts", import.meta.url).href}`,
  };
}

/** Stores the addresses by which replicas find each other. */
export interface ReplicaAddresses {
  add(name: string, address: string): void;
  remove(name: string, address: string): void;
}

export function openAddresses(dataDir: string): ReplicaAddresses {
  const file = addressesFile(dataDir);
  const addresses = new Map(PROCESSES.map(({ name }) => [name, new Set([firstAddress])]));
  const write = () => {
    const text = JSON.stringify(Object.fromEntries([...addresses].map(([name, all]) => [name, [...all]])));
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  write();
  return {
    add: (name, address) => (addresses.get(name)!.add(address), write()),
    remove: (name, address) => (addresses.get(name)!.delete(address), write()),
  };
}

/** Starts a second process of each program beside the system's. `env` applies to each of them. */
export async function startReplicas(
  system: System,
  addresses: ReplicaAddresses,
  dataDir: string,
  env: Record<string, string>,
): Promise<Replicas> {
  await using starting = new AsyncDisposableStack();
  const pairs = await Promise.all(
    PROCESSES.map(async ({ name }) => {
      const second = starting.use(await startSecondReplica(system, addresses, { name, dataDir, env }));
      return [firstReplica(system, addresses, name), second];
    }),
  );
  const running = starting.move();
  return { all: pairs.flat(), [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The system's own process. */
function firstReplica(system: System, addresses: ReplicaAddresses, name: string): Replica {
  return {
    name,
    opsUrl: system.opsUrl(name),
    baseUrl: system.local.baseUrl,
    async stop() {
      addresses.remove(name, firstAddress);
      await system.stop(name);
    },
    async start() {
      await system.start(name);
      addresses.add(name, firstAddress);
    },
  };
}

interface SecondReplicaOptions {
  name: string;
  dataDir: string;
  env: Record<string, string>;
}

async function startSecondReplica(
  system: System,
  addresses: ReplicaAddresses,
  { name, dataDir, env }: SecondReplicaOptions,
): Promise<Replica & AsyncDisposable> {
  const log = createWriteStream(join(dataDir, `${name}-2.log`), { flags: "a" });
  await new Promise((resolve) => log.once("open", resolve));
  const shared = { CANVASS_MAIL_DIR: join(dataDir, "mail"), CANVASS_FILES_DIR: join(dataDir, "files") };
  const listener = { CANVASS_RPC_HOST: secondAddress, CANVASS_RPC_PORT: new URL(system.rpcUrl(name)).port };
  const own: Record<string, string> = name === "gateway" ? {} : { ...shared, ...listener };
  const start = () => startSecondProcess(system, name, { ...env, ...own }, ["ignore", log, log]);
  let process: SecondProcess = await start();
  addresses.add(name, secondAddress);
  return {
    name,
    get opsUrl() {
      return process.opsUrl;
    },
    get baseUrl() {
      return `http://127.0.0.1:${process.port}/api/v1`;
    },
    async stop() {
      addresses.remove(name, secondAddress);
      globalThis.process.kill(process.pid, "SIGTERM");
      const [status] = await process.ended;
      if (status !== 0) throw new Error(`${name} ended with status ${status}`);
    },
    async start() {
      process = await start();
      addresses.add(name, secondAddress);
    },
    [Symbol.asyncDispose]: async () => {
      await process[Symbol.asyncDispose]();
      log.destroy();
    },
  };
}
