const firstMs = 250;
const longestMs = 10_000;
/** The longest delay of a timer: with a longer one `setTimeout` fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** Milliseconds to wait after this many failures in a row: a random time below a bound that doubles ("full jitter"). */
export function backoff(failures: number, random: () => number = Math.random): number {
  return random() * Math.min(longestMs, firstMs * 2 ** failures);
}

/** Resolves after the time. Rejects with the signal's reason once that aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(ms, longestTimerMs),
    );
    signal?.addEventListener("abort", stop, { once: true });
  });
}
