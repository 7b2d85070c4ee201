// One Ctrl-C may arrive twice: from the terminal and from pnpm.
const sameWishMs = 500;

/** Aborts at the first Ctrl-C or SIGTERM; another one, half a second later or more, ends the program at once. */
export function listenForStop(): Disposable & { signal: AbortSignal } {
  const stop = new AbortController();
  let firstAt = 0;
  const onSignal = () => {
    if (stop.signal.aborted && performance.now() - firstAt > sameWishMs) process.exit(130);
    if (stop.signal.aborted) return;
    firstAt = performance.now();
    stop.abort(new Error("stopped"));
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, onSignal);
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, onSignal);
    },
  };
}
