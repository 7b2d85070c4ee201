/** Tracks work on new events. Less urgent work waits for it for a short time. */
export interface FreshWork {
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  letPass(longestMs: number): Promise<void>;
}

export function createFreshWork(): FreshWork {
  let underWay = 0;
  const waiting = new Set<() => void>();

  return {
    async during(work) {
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
        if (underWay === 0) for (const goOn of waiting) goOn();
      }
    },
    async letPass(longestMs) {
      if (underWay === 0) return;
      await new Promise<void>((resolve) => {
        const goOn = () => {
          waiting.delete(goOn);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(goOn, longestMs);
        waiting.add(goOn);
      });
    },
  };
}
