import { spawn } from "node:child_process";
import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Writable } from "node:stream";

import { backOffMs, DEFAULT_BACK_OFF } from "./back-off.ts";
import { endProcesses } from "./end-processes.ts";
import type { Haste, Stoppable, StopSignal } from "./end-processes.ts";
import type { OnSpawn } from "./spawn-listed.ts";

// A shell, because it costs next to nothing while it waits. It starts with what is listed and keeps the last line it
// reads; the end of the input means that the launcher is gone. A Ctrl-C in the terminal is for the launcher.
const SCRIPT = `trap '' INT TERM HUP QUIT; last=$1; shift; while read -r line; do last=$line; done; [ "$last" = goodbye ] || exec "$@" "$last"`;
const PROGRAM = join(import.meta.dirname, "end-leftovers.ts");

/** Sees to it that no process outlives this one. */
export type Watchdog = AsyncDisposable & {
  /** Lists a process for as long as it runs. */
  watch: (stopSignal: StopSignal) => OnSpawn;
  /** Ends what it lists. */
  end: (haste: Haste) => Promise<void>;
};

export type WatchdogOptions = {
  /** To remove when this process is gone without having disposed the watchdog. */
  files?: readonly string[];
  /** Told of the watchdog's process, and of each that takes its place. */
  onStart?: (pid: number) => void;
};

/**
 * Keeps a process, in a session of its own, that holds the other end of a pipe and knows what is listed. When this
 * process is gone, however it ended, that one ends what runs. It is replaced when it dies. Disposing ends what is
 * listed, and the watchdog.
 */
export async function keepWatchdog({ files = [], onStart }: WatchdogOptions = {}): Promise<Watchdog> {
  const listed = new Map<ChildProcess, Stoppable>();
  let isOver = false;
  let deaths = 0;
  let replacement: NodeJS.Timeout | undefined;
  let shell: ChildProcessByStdio<Writable, null, null>;

  const list = () => JSON.stringify([...listed.values()]);
  const tell = () => void shell.stdin.write(`${list()}\n`);
  const start = () => {
    const words = ["-c", SCRIPT, "sh", list(), process.execPath, PROGRAM, ...files];
    const env = { PATH: process.env["PATH"] };
    shell = spawn("/bin/sh", words, { cwd: "/", env, detached: true, stdio: ["pipe", "ignore", "ignore"] });
    // Written to after its death it must not take this process along.
    shell.stdin.on("error", () => {});
    shell.once("error", replace);
    shell.once("exit", replace);
    if (shell.pid !== undefined) onStart?.(shell.pid);
    return shell;
  };
  const replace = () => {
    if (!isOver) replacement = setTimeout(start, backOffMs(++deaths, DEFAULT_BACK_OFF)).unref();
  };
  const end = (haste: Haste) => endProcesses([...listed.values()], haste);
  await once(start(), "spawn").finally(() => (isOver = shell.pid === undefined));
  return {
    watch: (stopSignal) => (child) => {
      if (child.pid === undefined) return;
      listed.set(child, { pid: child.pid, stopSignal });
      tell();
      child.once("exit", () => {
        listed.delete(child);
        tell();
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
