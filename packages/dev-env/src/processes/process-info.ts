import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export type ProcessInfo = {
  parent: number;
  command: string;
  /** Start time in the system's notation; it differs from that of a later process with the same pid. */
  started: string;
};

/** Returns undefined for a missing process or a zombie. */
export function processInfo(pid: number): ProcessInfo | undefined {
  try {
    return process.platform === "linux" ? infoByProc(pid) : infosByPs(["-p", `${pid}`]).get(pid);
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  return processInfo(pid) !== undefined;
}

/** Returns the other processes whose command line contains the text. */
export function findProcesses(text: string): { pid: number; started: string }[] {
  return [...allInfos()].flatMap(([pid, info]) =>
    pid !== process.pid && info.command.includes(text) ? [{ pid, started: info.started }] : [],
  );
}

function allInfos(): Map<number, ProcessInfo> {
  if (process.platform !== "linux") return infosByPs(["-ax"]);
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return new Map(
    pids.flatMap((pid) => {
      const info = processInfo(pid);
      return info ? [[pid, info]] : [];
    }),
  );
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

function infosByPs(selection: readonly string[]): Map<number, ProcessInfo> {
  const options = { encoding: "utf8", env: { PATH: process.env["PATH"], LC_ALL: "C" } } as const;
  const output = execFileSync("ps", ["-ww", "-o", "pid=,stat=,ppid=,lstart=,args=", ...selection], options);
  const infos = new Map<number, ProcessInfo>();
  for (const line of output.split("\n")) {
    const [, pid, state, parent, started = "", command = ""] =
      /^\s*(\d+)\s+(\S+)\s+(\d+)\s+(\S+(?:\s+\S+){4})\s+(.*)/.exec(line) ?? [];
    if (state && !state.startsWith("Z")) infos.set(Number(pid), { parent: Number(parent), command, started });
  }
  return infos;
}
