const patienceMs = 3_000;

/** Runs `work` in one tab at a time; without a lock after three seconds or if denied: keys make a double send safe. */
export function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve) => {
    let begun: Promise<T> | undefined;
    const begin = (): Promise<T> => {
      clearTimeout(timer);
      begun ??= work();
      resolve(begun);
      return begun;
    };
    const timer = setTimeout(() => void begin(), patienceMs);
    // Browsers provide no locks without TLS.
    const ask = async () => (navigator as { locks?: LockManager }).locks!.request(`canvass:${name}`, begin);
    ask().catch(() => void begin());
  });
}
