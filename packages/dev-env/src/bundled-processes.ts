import { PROCESSES, type ProcessDefinition } from "@canvass/processes";
import { join } from "node:path";

export const bundledProcesses = (folder: string): ProcessDefinition[] =>
  PROCESSES.map((each) => ({ ...each, main: join(folder, `${each.name}.mjs`) }));
