import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

export type ProcessInfo = {
  parent: number;
  command: string;
  /** Start time in the system's notation; it differs from that of a later process with the same pid. */
  started: string;
};

/** Returns undefined for a missing process or a zombie. */
export function processInfo(pid: number): ProcessInfo | undefined {
  try {
    return process.platform === "linux" ? infoByProc(pid) : infoByPs(pid);
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  return processInfo(pid) !== undefined;
}

/** Index in proc_pid_stat(5), counted from the state. */
const STARTTIME = 19;

function infoByProc(pid: number): ProcessInfo | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field, the program's name, may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent] = fields;
  if (state === "Z" || state === "X") return undefined;
  const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  return { parent: Number(parent), command, started: fields[STARTTIME]! };
}

function infoByPs(pid: number): ProcessInfo | undefined {
  const options = { encoding: "utf8", env: { PATH: process.env["PATH"], LC_ALL: "C" } } as const;
  const line = execFileSync("ps", ["-ww", "-o", "stat=,ppid=,lstart=,args=", "-p", `${pid}`], options);
  const [, state, parent, started = "", command = ""] =
    /^\s*(\S+)\s+(\d+)\s+(\S+(?:\s+\S+){4})\s+(.*)/.exec(line) ?? [];
  return state === undefined || state.startsWith("Z") ? undefined : { parent: Number(parent), command, started };
}
