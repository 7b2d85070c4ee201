import { readFileSync } from "node:fs";

/** Whether a process with this id runs. A zombie, whose parent has not looked after it yet, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    // No /proc here, or the process has ended between the two looks.
    return process.platform !== "linux";
  }
}
