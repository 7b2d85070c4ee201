export { bundlePrograms } from "./bundle-programs.ts";
export { bundledProcesses } from "./bundled-processes.ts";
import { createFirstWorkspace } from "./first-workspace.ts";
import { prepareDatabases } from "./prepare-databases.ts";
import type { StartSystemOptions } from "./start-system.ts";

/** For a starter that has loaded the modules of the preparations anyway, and starts many systems. */
export const preparedInProcess = {
  prepareDatabases,
  createWorkspace: createFirstWorkspace,
} satisfies Partial<StartSystemOptions>;
