// The watchdog runs this when the launcher has ended. Arguments: files to remove; last, the processes as JSON.
import { rm } from "node:fs/promises";
import { endProcesses } from "./end-processes.ts";
import type { Stoppable } from "./end-processes.ts";

const files = process.argv.slice(2);
await endProcesses(JSON.parse(files.pop() || "[]") as Stoppable[]);
for (const file of files) await rm(file, { force: true });
