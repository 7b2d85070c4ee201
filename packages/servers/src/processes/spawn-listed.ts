import { spawn } from "node:child_process";
import type { ChildProcess, SpawnOptions } from "node:child_process";

/** Told of a process before its program begins. */
export type OnSpawn = (child: ChildProcess) => void;

// It reads the end of its input when the launcher dies in between, and ends without having begun.
const SCRIPT = `read -r listed && exec "$@" </dev/null`;

/**
 * Starts a program, of an absolute path, in a session of its own. It begins when `onSpawn` returns, so none
 * runs unlisted when this process is killed between the two.
 */
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
