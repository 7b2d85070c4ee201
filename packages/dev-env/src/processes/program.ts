import { spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";

import { OperationalError, reasonOf, systemErrorCode } from "@canvass/provisioning/operational-error";
import { openLogFile } from "../servers/log-file.ts";
import type { OnSpawn } from "./roster.ts";

export type RunningProcess = {
  pid: number;
  /** Resolves when the process ends, with the reason ("exit code 1", "SIGKILL"). Never rejects. */
  exited: Promise<string>;
};

export type Program = {
  command: string;
  args: readonly string[];
  /** The whole environment; nothing is inherited. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  logFile: string;
};

/** The program leads its own session, so that Ctrl-C reaches only the launcher. Throws OperationalError. */
export async function startProgram(
  { command, args, env, cwd, logFile }: Program,
  onSpawn: OnSpawn,
): Promise<RunningProcess> {
  const log = await openLogFile(logFile);
  try {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", log.fd, log.fd] });
    try {
      onSpawn(child);
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    }
    const ended = Promise.withResolvers<string>();
    child.once("exit", (code, signal) => ended.resolve(signal ?? `exit code ${code}`));
    await once(child, "spawn");
    if (child.pid === undefined) throw new Error("no process id");
    return { pid: child.pid, exited: ended.promise };
  } catch (error) {
    throw new OperationalError(`${command} cannot be started (${reasonOf(error)}).`, { cause: error });
  } finally {
    await log.close();
  }
}

export function sendSignal({ pid }: RunningProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemErrorCode(error) !== "ESRCH") throw error;
  }
}

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
  // A stopped process (SIGSTOP) would not handle the signal.
  sendSignal(running, "SIGCONT");
  await running.exited;
  clearTimeout(timer);
}

/** True if a GET returns 200 within two seconds. Not by `fetch`, which takes some MiB of memory. */
export function respondsOk(url: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const request = get(url, { agent: false, signal: AbortSignal.timeout(2000) }, (response) => {
    response.resume();
    resolve(response.statusCode === 200);
  });
  request.on("error", () => resolve(false));
  return promise;
}
