import { join, resolve } from "node:path";

import { machineEnvironment } from "./config.ts";
import type { DataDir } from "./data-dir.ts";
import { NODE_FLAGS, nodeEnvironment } from "./node-settings.ts";
import { opsUrl, processSettings, settingsFor } from "./process-settings.ts";
import type { LaunchedProcess, SystemSettings } from "./process-settings.ts";
import { respondsOk, startProgram } from "./processes/program.ts";
import type { ProcessPlan } from "./supervised-process.ts";
import { WORKSPACE_ROOT } from "@canvass/processes";

export function planService(
  definition: LaunchedProcess,
  system: SystemSettings,
  dataDir: DataDir,
  env: Readonly<Record<string, string>>,
  databaseUrl: string | undefined,
): ProcessPlan {
  const { name, main } = definition;
  const logFile = join(dataDir.logs, `${name}.log`);
  const program = {
    command: process.execPath,
    args: [...NODE_FLAGS, resolve(WORKSPACE_ROOT, main)],
    env: {
      ...nodeEnvironment(name),
      ...machineEnvironment(),
      ...settingsFor(definition, env),
      ...processSettings(definition, system, databaseUrl),
      ...definition.env,
    },
    cwd: WORKSPACE_ROOT,
    logFile,
  };
  return {
    name,
    logFile,
    stopSignal: "SIGTERM",
    start: (onSpawn) => startProgram(program, onSpawn),
    isReady: () => respondsOk(`${opsUrl(system, name)}/readyz`),
  };
}
