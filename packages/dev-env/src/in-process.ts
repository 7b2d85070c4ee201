export { bundlePrograms } from "./bundle-programs.ts";
export { bundledProcesses } from "./bundled-processes.ts";
import { createFirstWorkspace } from "./first-workspace.ts";
import { prepareDatabases } from "./prepare-databases.ts";
import type { StartSystemOptions } from "./start-system.ts";

/** For callers that start many systems: the preparations run in this process. */
export const preparedInProcess = {
  prepareDatabases,
  createWorkspace: createFirstWorkspace,
} satisfies Partial<StartSystemOptions>;
