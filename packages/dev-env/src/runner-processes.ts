import { readFileSync } from "node:fs";

import { isAlive } from "./is-alive.ts";

/**
 * The processes through which npm and pnpm started this one, from the nearest to the outermost (`npx` → a shell → pnpm
 * → a shell → this one). Empty when it was started directly, for example by a program that goes away on purpose.
 */
export function runnerProcesses(): number[] {
  const chain: number[] = [];
  let outermost = 0;
  for (let pid = process.ppid; pid > 1 && chain.length < 8; pid = parentOf(pid)) {
    chain.push(pid);
    if (/(^|[/\s\0])(npm|npx|pnpm)(-cli\.js)?[@\s\0]/.test(commandLine(pid))) outermost = chain.length;
  }
  return chain.slice(0, outermost);
}

/** Calls `onGone` once when one of the processes has ended: killed, it could not pass its signal on to us. */
export function watchRunners(pids: readonly number[], onGone: () => void): void {
  if (pids.length === 0) return;
  const timer = setInterval(() => {
    if (pids.every(isAlive)) return;
    clearInterval(timer);
    onGone();
  }, 1000);
  timer.unref();
}

function commandLine(pid: number): string {
  return readProc(pid, "cmdline");
}

function parentOf(pid: number): number {
  // The second field, the program's name, may hold blanks and parentheses.
  const [, parent] = readProc(pid, "stat")
    .replace(/^.*\)\s/s, "")
    .split(" ");
  return Number(parent ?? 0);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
