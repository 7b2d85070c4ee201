const mostRestMs = 1_000;

/**
 * Delays each call by the duration of the previous one, at most a second, so that other callers get half of the
 * service's time. A call after a pause does not wait.
 */
export function restBetween<Args extends unknown[], Result>(
  call: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let restsUntil = 0;
  return async (...args) => {
    const restMs = restsUntil - performance.now();
    if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    const began = performance.now();
    try {
      return await call(...args);
    } finally {
      const ended = performance.now();
      restsUntil = ended + Math.min(ended - began, mostRestMs);
    }
  };
}
