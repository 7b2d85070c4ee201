import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

export type ProcessInfo = { parent: number; command: string };

/** Undefined for a missing process or a zombie. */
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

function infoByProc(pid: number): ProcessInfo | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field, the program's name, may hold blanks and parentheses.
  const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "Z" || state === "X") return undefined;
  return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") };
}

function infoByPs(pid: number): ProcessInfo | undefined {
  const options = { encoding: "utf8", env: { PATH: process.env["PATH"], LC_ALL: "C" } } as const;
  const line = execFileSync("ps", ["-ww", "-o", "stat=,ppid=,args=", "-p", `${pid}`], options);
  const [, state, parent, command = ""] = /^\s*(\S+)\s+(\d+)\s+(.*)/.exec(line) ?? [];
  return state === undefined || state.startsWith("Z") ? undefined : { parent: Number(parent), command };
}
