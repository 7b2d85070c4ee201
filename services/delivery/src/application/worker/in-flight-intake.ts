/** Tracks the intake of new events. Less urgent work waits for it for a short time. */
export interface InFlightIntake {
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  letPass(longestMs: number): Promise<void>;
}

export function createInFlightIntake(): InFlightIntake {
  let running = 0;
  const waiting = new Set<() => void>();

  return {
    async during(work) {
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) for (const goOn of waiting) goOn();
      }
    },
    async letPass(longestMs) {
      if (running === 0) return;
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
