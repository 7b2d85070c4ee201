import { spawn } from "node:child_process";
import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Writable } from "node:stream";

import { backOffMs, DEFAULT_BACK_OFF } from "./back-off.ts";
import { endProcesses } from "./end-processes.ts";
import { processInfo } from "./process-info.ts";
import type { StopMode, Stoppable, StopSignal } from "./end-processes.ts";
import type { OnSpawn } from "./spawn-listed.ts";

// At the end of its input the launcher has ended: it runs `end-leftovers` with the last list. It ignores Ctrl-C.
const SCRIPT = `trap '' INT TERM HUP QUIT; last=$1; shift; while read -r line; do last=$line; done; [ "$last" = goodbye ] || exec "$@" "$last"`;
const PROGRAM = join(import.meta.dirname, "end-leftovers.ts");

export type Watchdog = AsyncDisposable & {
  watch: (stopSignal: StopSignal) => OnSpawn;
  end: (stopMode: StopMode) => Promise<void>;
};

export type WatchdogOptions = {
  /** Removed if this process ends without disposing the watchdog. */
  files?: readonly string[];
  onStart?: (pid: number) => void;
};

/** Starts a shell that outlives this process and then ends the listed ones. Replaces a dead shell. */
export async function keepWatchdog({ files = [], onStart }: WatchdogOptions = {}): Promise<Watchdog> {
  const listed = new Map<ChildProcess, Stoppable>();
  let isOver = false;
  let deaths = 0;
  let replacement: NodeJS.Timeout | undefined;
  let shell: ChildProcessByStdio<Writable, null, null>;

  const list = () => JSON.stringify([...listed.values()]);
  const writeList = () => void shell.stdin.write(`${list()}\n`);
  const start = () => {
    const words = ["-c", SCRIPT, "sh", list(), process.execPath, PROGRAM, ...files];
    const env = { PATH: process.env["PATH"] };
    shell = spawn("/bin/sh", words, { cwd: "/", env, detached: true, stdio: ["pipe", "ignore", "ignore"] });
    // A write to a dead shell must not fail this process.
    shell.stdin.on("error", () => {});
    shell.once("error", replace);
    shell.once("exit", replace);
    if (shell.pid !== undefined) onStart?.(shell.pid);
    return shell;
  };
  const replace = () => {
    if (!isOver) replacement = setTimeout(start, backOffMs(++deaths, DEFAULT_BACK_OFF)).unref();
  };
  const end = (stopMode: StopMode) => endProcesses([...listed.values()], stopMode);
  await once(start(), "spawn").finally(() => (isOver = shell.pid === undefined));
  return {
    watch: (stopSignal) => (child) => {
      if (child.pid === undefined) return;
      listed.set(child, { pid: child.pid, stopSignal, started: processInfo(child.pid)?.started });
      writeList();
      child.once("exit", () => {
        listed.delete(child);
        writeList();
      });
    },
    end,
    async [Symbol.asyncDispose]() {
      await end("orderly");
      isOver = true;
      clearTimeout(replacement);
      if (shell.exitCode !== null || shell.signalCode !== null) return;
      const exited = once(shell, "exit");
      shell.stdin.end("goodbye\n");
      await exited;
    },
  };
}
