const patienceMs = 3_000;

/**
 * Runs `work` once, in one tab at a time per name. Runs it without the lock if the browser has no locks or denies them,
 * or after three seconds of waiting: idempotency keys make sending twice safe.
 */
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
