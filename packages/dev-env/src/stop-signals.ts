import { once } from "node:events";

import { isAlive, processInfo } from "./processes/process-info.ts";

export type StopSignals = {
  /** The first Ctrl-C, SIGTERM or closed terminal: stop in order. */
  stop: AbortSignal;
  /** The second: kill everything. */
  kill: AbortSignal;
};

// One Ctrl-C may arrive twice: from the terminal and from pnpm.
const SAME_WISH_MS = 500;

/** Turns signals into requests to stop. The end of the parent npm or pnpm also requests it. */
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

export async function waitForAbort(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

/** Returns the npm and pnpm processes that started this one, innermost first; none after a direct start. */
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

/** Polls, because a killed parent passes no signal on. */
function onEndOf(pids: readonly number[], onGone: () => void): void {
  if (pids.length === 0) return;
  const timer = setInterval(() => {
    if (pids.every(isAlive)) return;
    clearInterval(timer);
    onGone();
  }, 1000);
  timer.unref();
}
