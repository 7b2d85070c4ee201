export { endProcesses } from "./end-processes.ts";
export type { StopSignal } from "./end-processes.ts";
export { isAlive, processInfo } from "./process-info.ts";
export type { ProcessInfo } from "./process-info.ts";
export { respondsOk, endProcess, sendSignal, startProgram } from "./program.ts";
export type { RunningProcess } from "./program.ts";
export { openRoster } from "./roster.ts";
export type { OnSpawn, Roster } from "./roster.ts";
