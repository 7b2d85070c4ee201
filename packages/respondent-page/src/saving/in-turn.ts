const patienceMs = 3_000;

/** Runs `work` in one tab at a time. Without a lock in three seconds it runs anyway: keys make double sends safe. */
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
