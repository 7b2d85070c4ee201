export { bundlePrograms } from "./bundle-programs.ts";
export { bundledProcesses } from "./bundled-processes.ts";
import { createFirstWorkspace } from "./first-workspace.ts";
import { prepareDatabases } from "./prepare-databases.ts";
import type { StartSystemOptions } from "./start-system.ts";

/** Runs preparations in this process, for callers that start many systems. By default each runs in a child. */
export const preparedInProcess = {
  prepareDatabases,
  createWorkspace: createFirstWorkspace,
} satisfies Partial<StartSystemOptions>;
