import { preparedInProcess } from "@canvass/dev-env/in-process";
import { PROCESSES } from "@canvass/processes";
import { testServerUrl } from "@canvass/testing";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startDemoSystem, type DemoSystem, type DemoSystemOptions } from "../src/index.ts";

/**
 * A system that starts and stops quickly by default: its processes load compiled code from few files, its preparations load
 * none, and its database begins with migrated tables and does not wait for the disk.
 */
export async function startTestSystem({ env, ...options }: DemoSystemOptions = {}): Promise<DemoSystem> {
  const compiled = { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") };
  const { processes = await bundledProcesses() } = options;
  return startDemoSystem({
    ...preparedInProcess,
    durable: false,
    ...(!options.prepareDatabases && !options.databaseUrl && { prepareDataDir: copyCluster }),
    ...options,
    processes,
    env: { ...compiled, ...env },
  });
}

/** With owners and modes, since PostgreSQL may run as another user. */
async function copyCluster(dataDir: string): Promise<void> {
  await promisify(execFile)("cp", ["-a", await testServerUrl("cluster"), join(dataDir, "postgres")]);
}

async function bundledProcesses(): Promise<typeof PROCESSES> {
  const folder = await testServerUrl("programs");
  return PROCESSES.map((each) => ({ ...each, main: join(folder, each.main.replace(/\.ts$/, ".mjs")) }));
}
