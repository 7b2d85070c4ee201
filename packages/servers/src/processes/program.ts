import { once } from "node:events";
import { access, constants } from "node:fs/promises";

import { OperationalError, reasonOf, systemErrorCode } from "@canvass/provisioning/operational-error";
import { openLogFile } from "../log-file.ts";
import { spawnListed } from "./spawn-listed.ts";
import type { OnSpawn } from "./spawn-listed.ts";

/** A process that runs. */
export type RunningProcess = {
  pid: number;
  /** Settles when it is gone, with how it ended in words ("exit code 1", "SIGKILL"). Never rejects. */
  exited: Promise<string>;
};

export type Program = {
  command: string;
  args: readonly string[];
  /** All of its environment: nothing is inherited. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  logFile: string;
};

/**
 * Starts a program that writes its output into its log file. It leads a session of its own, so a Ctrl-C in the
 * terminal reaches only the launcher, which stops everything in order. Throws OperationalError when it can not be started.
 */
export async function startProgram(
  { command, args, env, cwd, logFile }: Program,
  onSpawn: OnSpawn,
): Promise<RunningProcess> {
  const log = await openLogFile(logFile);
  try {
    await access(command, constants.X_OK);
    const child = spawnListed(command, args, { cwd, env, stdio: [log.fd, log.fd] }, onSpawn);
    const ended = Promise.withResolvers<string>();
    child.once("exit", (code, signal) => ended.resolve(signal ?? `exit code ${code}`));
    await once(child, "spawn");
    if (child.pid === undefined) throw new Error("no process id");
    return { pid: child.pid, exited: ended.promise };
  } catch (error) {
    throw new OperationalError(`${command} can not be started (${reasonOf(error)}).`, { cause: error });
  } finally {
    await log.close();
  }
}

/** Sends a signal to a process that may have just ended. */
export function sendSignal({ pid }: RunningProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemErrorCode(error) !== "ESRCH") throw error;
  }
}

/** Ends a process with `signal`; with `lastSignal`, after telling `onKill`, when it still runs after `deadlineMs`. */
export async function endProcess(
  running: RunningProcess,
  signal: NodeJS.Signals,
  deadlineMs: number,
  onKill: () => void,
  lastSignal: NodeJS.Signals = "SIGKILL",
): Promise<void> {
  const timer = setTimeout(() => {
    onKill();
    sendSignal(running, lastSignal);
  }, deadlineMs);
  sendSignal(running, signal);
  // One that is frozen (SIGSTOP) would not see the signal.
  sendSignal(running, "SIGCONT");
  await running.exited;
  clearTimeout(timer);
}

/** Whether a GET of `url` is answered with 200 within two seconds. */
export async function answersOk(url: string): Promise<boolean> {
  const options = { headers: { connection: "close" }, signal: AbortSignal.timeout(2000) };
  return fetch(url, options).then(
    ({ status, body }) => body?.cancel().then(() => status === 200) ?? status === 200,
    () => false,
  );
}
