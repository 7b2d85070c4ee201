/** Runs work, a bounded number at a time, in the order it came. */
export type WriteGate = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Writes wait for each other's row locks and hold a connection meanwhile. Bounding them below the size of the pool keeps
 * connections free for authentication, so that nobody's writes can keep everybody else out.
 */
export function createWriteGate(limit: number): WriteGate {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < limit) running += 1;
    // Whoever leaves hands its place on, so `running` stays as it is.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
