const patienceMs = 3_000;

/** Calls a browser API; calls `otherwise` if it is missing, fails or takes over three seconds. */
export function attempt<T>(ask: () => T | Promise<T>, otherwise: () => T | Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new Error("no answer")), patienceMs);
  void promise.catch(() => undefined).finally(() => clearTimeout(timer));
  new Promise<T>((begin) => begin(ask())).then(resolve, reject);
  return promise.catch(otherwise);
}
