import { bundledProcesses, preparedInProcess } from "@canvass/dev-env/in-process";
import { programEnvironment, testServerUrl } from "@canvass/testing";
import { startDemoSystem, type DemoSystem, type DemoSystemOptions } from "../src/index.ts";

/**
 * Starts a system that starts and stops quickly by default: processes load compiled code from few files, preparation
 * runs in this process, databases are copies of migrated ones, and the server does not wait for the disk.
 */
export async function startTestSystem({ env, ...options }: DemoSystemOptions = {}): Promise<DemoSystem> {
  const { processes = bundledProcesses(await testServerUrl("programs")) } = options;
  const ownServer = options.databaseUrl === undefined && options.prepareDatabases === undefined;
  const serverData = ownServer ? await testServerUrl("server-data") : undefined;
  const usual = { ...preparedInProcess, durable: false, serverData };
  return startDemoSystem({ ...usual, ...options, processes, env: { ...programEnvironment(), ...env } });
}
