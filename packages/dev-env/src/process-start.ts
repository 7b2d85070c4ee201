import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * When a process started, as the operating system has it. Together with the id it names one process for ever, whoever
 * gets the id later. Undefined when none runs; a zombie, whose parent has not looked after it yet, does not.
 */
export function startOf(pid: number): string | undefined {
  try {
    return process.platform === "linux" ? startByProc(pid) : startByPs(pid);
  } catch {
    return undefined;
  }
}

function startByProc(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field, the program's name, may hold blanks and parentheses.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "Z" || state === "X") return undefined;
  // Field 22 counts from the machine's start.
  return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${fields[18]}`;
}

function startByPs(pid: number): string | undefined {
  const options = { encoding: "utf8", env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" } } as const;
  const [, state, start] =
    /^(\S+)\s+(.*\S)/.exec(execFileSync("ps", ["-o", "stat=,lstart=", "-p", `${pid}`], options)) ?? [];
  return state?.startsWith("Z") ? undefined : start;
}
