import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Cost of a process and all its descendants. */
export interface TreeCosts {
  /** CPU time since each process started, in clock ticks. Includes ended children. */
  ticks: number;
  /** MiB. Shared memory counts proportionally (PSS). */
  memoryMib: number;
  /** PostgreSQL's processes: its own, and one per connection. */
  postgresProcesses: number;
}

/** Reads /proc, so it works on Linux only. */
export function readTreeCosts(root: number): TreeCosts {
  const costs = { ticks: 0, memoryMib: 0, postgresProcesses: 0 };
  for (const pid of descendants(root)) {
    const stat = statOf(pid);
    // The process ended after it was listed; its parent's ticks include its time.
    if (stat.length === 1) continue;
    costs.ticks += ticksIn(stat);
    costs.memoryMib += Number(/^Pss:\s+(\d+)/m.exec(read(pid, "smaps_rollup"))?.[1] ?? 0) / 1024;
    if (/^(postgres:|\S*\/postgres\0)/.test(read(pid, "cmdline"))) costs.postgresProcesses += 1;
  }
  return costs;
}

/** CPU time of a process and of its children that ended, in clock ticks. */
export const ownTicks = (pid: number): number => ticksIn(statOf(pid));

function ticksIn([, , , , , , , , , , , ...times]: readonly string[]): number {
  return times.slice(0, 4).reduce((sum, each) => sum + Number(each), 0);
}

/** Peak memory of a process since `forgetPeak`, in MiB (VmHWM); 0 without /proc. */
export function peakMib(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(read(pid, "status"))?.[1] ?? 0) / 1024;
}

/** Resets the peak that `peakMib` reads. See proc(5), clear_refs. */
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

/** Fields after the program's name, which may contain spaces. `[""]` if the process is gone. */
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
