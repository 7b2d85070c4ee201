import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Cost of a process and all its descendants. */
export interface TreeCosts {
  /** Clock ticks of CPU time since each began, ended children included. */
  ticks: number;
  /** MiB; shared memory counts by its share (PSS). */
  memoryMib: number;
  /** Processes of PostgreSQL: its own, and one per connection. */
  postgresProcesses: number;
}

/** Reads /proc: Linux only. */
export function readTreeCosts(root: number): TreeCosts {
  const costs = { ticks: 0, memoryMib: 0, postgresProcesses: 0 };
  for (const pid of descendants(root)) {
    const stat = statOf(pid);
    // It has ended since it was found; its parent has its time.
    if (stat.length === 1) continue;
    const [, , , , , , , , , , , user, system, childrenUser, childrenSystem] = stat;
    costs.ticks += Number(user) + Number(system) + Number(childrenUser) + Number(childrenSystem);
    costs.memoryMib += Number(/^Pss:\s+(\d+)/m.exec(read(pid, "smaps_rollup"))?.[1] ?? 0) / 1024;
    if (/^(postgres:|\S*\/postgres\0)/.test(read(pid, "cmdline"))) costs.postgresProcesses += 1;
  }
  return costs;
}

/** The most memory a process held since `forgetPeak`, in MiB (VmHWM); 0 where there is no /proc. */
export function peakMib(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(read(pid, "status"))?.[1] ?? 0) / 1024;
}

/** See proc(5), clear_refs. */
export function forgetPeak(pid: number): void {
  if (existsSync(`/proc/${pid}/clear_refs`)) writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

function descendants(root: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const children = Map.groupBy(pids.map(Number), (pid) => Number(statOf(pid)[1]));
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** The fields after the program's name, which may hold blanks; empty when the process is gone. */
function statOf(pid: number): string[] {
  return read(pid, "stat")
    .replace(/^.*\)\s/s, "")
    .split(" ");
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
