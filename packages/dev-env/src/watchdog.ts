import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Writable } from "node:stream";

import { backOffMs, DEFAULT_BACK_OFF } from "./back-off.ts";

// A shell, because it costs next to nothing while it waits. It keeps the last line it is told; the end of the input
// means that the launcher is gone. A Ctrl-C in the terminal is for the launcher.
const SCRIPT = `trap '' INT TERM HUP QUIT; while read -r line; do last=$line; done; [ "$last" = goodbye ] || exec "$@" "$last"`;
const PROGRAM = join(import.meta.dirname, "bin/end-leftovers.ts");

type Shell = ChildProcessByStdio<Writable, null, null>;

export type Watchdog = AsyncDisposable & {
  /** A line it is to remember in place of the one before. */
  tell: (line: string) => void;
};

/**
 * Keeps a process running that outlives this one, in a session of its own, and then runs bin/end-leftovers.ts with
 * `args` and the line it was told last. One that dies is replaced; `onStart` hears of each, in the turn in which it
 * starts, and is to tell it. Disposing ends it.
 */
export async function keepWatchdog(args: readonly string[], onStart: (pid: number) => void): Promise<Watchdog> {
  let isOver = false;
  let deaths = 0;
  let replacement: NodeJS.Timeout | undefined;
  let shell: Shell | undefined;

  const start = (): Shell => {
    const words = ["-c", SCRIPT, "sh", process.execPath, PROGRAM, ...args];
    const env = { PATH: process.env["PATH"] };
    const child = spawn("/bin/sh", words, { cwd: "/", env, detached: true, stdio: ["pipe", "ignore", "ignore"] });
    // Written to after its death it must not take the launcher along.
    child.stdin.on("error", () => {});
    child.once("error", replace);
    child.once("exit", replace);
    shell = child;
    if (child.pid !== undefined) onStart(child.pid);
    return child;
  };
  const replace = () => {
    if (isOver) return;
    replacement = setTimeout(start, backOffMs(++deaths, DEFAULT_BACK_OFF)).unref();
  };
  await once(start(), "spawn").finally(() => (isOver = shell?.pid === undefined));
  return {
    tell: (line) => void shell?.stdin.write(`${line}\n`),
    async [Symbol.asyncDispose]() {
      isOver = true;
      clearTimeout(replacement);
      if (shell === undefined || shell.exitCode !== null || shell.signalCode !== null) return;
      const exited = once(shell, "exit");
      shell.stdin.end("goodbye\n");
      await exited;
    },
  };
}
