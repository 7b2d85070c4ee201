import { spawn } from "node:child_process";
import type { ChildProcess, SpawnOptions } from "node:child_process";

export type OnSpawn = (child: ChildProcess) => void;

// If the launcher dies before `onSpawn` returns, `read` fails and the program does not run.
const SCRIPT = `read -r listed && exec "$@" </dev/null`;

/** Runs a program (absolute path) after `onSpawn` has registered it, so that the watchdog knows every program. */
export function spawnListed(
  command: string,
  args: readonly string[],
  {
    stdio,
    ...options
  }: Omit<SpawnOptions, "stdio"> & { stdio: readonly ["ignore" | "pipe" | number, "ignore" | "pipe" | number] },
  onSpawn: OnSpawn,
): ChildProcess {
  const words = ["-c", SCRIPT, "sh", command, ...args];
  const child = spawn("/bin/sh", words, { ...options, detached: true, stdio: ["pipe", ...stdio] });
  child.stdin?.on("error", () => {});
  try {
    onSpawn(child);
    child.stdin?.end("listed\n");
  } catch (error) {
    child.stdin?.end();
    throw error;
  }
  return child;
}
