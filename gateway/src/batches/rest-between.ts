const mostRestMs = 1_000;

/** Pauses after each call for its duration, at most a second, so that other callers get half of the service's time. */
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
