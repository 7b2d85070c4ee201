import { once } from "node:events";

import { isAlive, processInfo } from "@canvass/servers/processes";

/** Two wishes of the person at the terminal, as abort signals. */
export type StopSignals = {
  /** The first Ctrl-C, or SIGTERM, or a closed terminal: stop in order. */
  stop: AbortSignal;
  /** The second one: kill everything. */
  kill: AbortSignal;
};

// One Ctrl-C may arrive twice: from the terminal, and passed on by pnpm.
const SAME_WISH_MS = 500;

/** Turns signals of this process into wishes. The end of the npm or pnpm that started it counts as the first one. */
export function listenForStop(): StopSignals {
  const stop = new AbortController();
  const kill = new AbortController();
  let lastAt = 0;
  const onSignal = (name: string) => {
    const at = performance.now();
    if (!stop.signal.aborted) stop.abort(new Error(name));
    else if (at - lastAt > SAME_WISH_MS) kill.abort(new Error(name));
    lastAt = at;
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => onSignal(name));
  onEndOf(runners(), () => stop.abort(new Error("pnpm ended")));
  return { stop: stop.signal, kill: kill.signal };
}

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

/**
 * The processes through which npm and pnpm started this one, from the nearest to the outermost (`npx` → a shell → pnpm
 * → a shell → this one). Empty when it was started directly, for example by a program that goes away on purpose.
 */
function runners(): number[] {
  const chain: number[] = [];
  let outermost = 0;
  for (let pid = process.ppid; pid > 1 && chain.length < 8;) {
    const { parent, command } = processInfo(pid) ?? { parent: 0, command: "" };
    chain.push(pid);
    if (/(^|[/\s])(npm|npx|pnpm)(-cli\.js)?[@\s]/.test(command)) outermost = chain.length;
    pid = parent;
  }
  return chain.slice(0, outermost);
}

/** Killed, a runner could not pass its signal on to us. */
function onEndOf(pids: readonly number[], onGone: () => void): void {
  if (pids.length === 0) return;
  const timer = setInterval(() => {
    if (pids.every(isAlive)) return;
    clearInterval(timer);
    onGone();
  }, 1000);
  timer.unref();
}
