import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { isAlive } from "./is-alive.ts";

const PATIENCE_SECONDS = 10;

/** How a process is stopped: programs by TERM, servers (PostgreSQL, NATS) by INT and after the programs. */
export type StopSignal = "SIGTERM" | "SIGINT";

/** The process that stops the others when this one is gone. */
export type Watchdog = {
  watch: (pid: number, signal: StopSignal) => void;
  forget: (pid: number, signal: StopSignal) => void;
  /** Kills all watched processes at once and resolves when they are gone. */
  killAll: () => Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Starts the watchdog: a shell script in a session of its own, so that it survives a Ctrl-C and a SIGKILL of this
 * process, then stops every watched process and removes `removeAtEnd`. `pidFile` exists as long as it runs.
 */
export async function startWatchdog(
  pidFile: string,
  removeAtEnd: readonly string[],
  patienceSeconds = PATIENCE_SECONDS,
): Promise<Watchdog> {
  const script = fileURLToPath(new URL("watchdog.sh", import.meta.url));
  const child = spawn("/bin/sh", [script, String(patienceSeconds), ...removeAtEnd, pidFile], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const exited = once(child, "exit");
  await once(child, "spawn");
  // Written to after its death (a SIGKILL aimed at it) it must not take the launcher along.
  child.stdin.on("error", () => {});
  await writeFile(pidFile, `${child.pid}\n`, { mode: 0o600 });

  const tell = (operation: "+" | "-", signal: StopSignal, pid: number) =>
    child.stdin.write(`${operation} ${signal.slice("SIG".length)} ${pid}\n`);
  const end = async () => {
    child.stdin.end();
    await exited;
    await rm(pidFile, { force: true });
  };
  return {
    watch: (pid, signal) => void tell("+", signal, pid),
    forget: (pid, signal) => void tell("-", signal, pid),
    killAll: () => {
      child.stdin.write("! KILL\n");
      return end();
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Waits until the watchdog of an earlier, killed launcher has stopped what that one left behind. */
export async function waitForFormerWatchdog(pidFile: string): Promise<void> {
  const deadline = Date.now() + (2 * PATIENCE_SECONDS + 5) * 1000;
  while (Date.now() < deadline) {
    const pid = Number(await readFile(pidFile, "utf8").catch(() => ""));
    if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return;
    await delay(100);
  }
}
