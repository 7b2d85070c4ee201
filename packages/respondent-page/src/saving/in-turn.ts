const patienceMs = 3_000;

/**
 * Runs work of a name in one tab at a time, once. Work does not wait where the browser has no locks or denies them, and
 * not for longer than three seconds: keys make sending twice safe.
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
    // Browsers hide locks from pages without TLS.
    const ask = async () => (navigator as { locks?: LockManager }).locks!.request(`canvass:${name}`, begin);
    ask().catch(() => void begin());
  });
}
