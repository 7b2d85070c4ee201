/** Throttles waiting deliveries while other workspaces send new ones. */
export interface DrainThrottle {
  sentAtOnce(workspaceId: string): void;
  available(workspaceId: string): boolean;
  readonly waitMs: number;
  take(): void;
}

/** A delivery that was sent at once throttles waiting ones of other workspaces for this long. */
const BESIDE_MS = 1000;
const BATCH = 8;
/** A pause, as a multiple of the time for which the batch kept the process busy. */
const REST = 5;
/** Longest time of a batch with its pause, so that a queue drains even if the process is busy. */
const LONGEST_MS = 12.5;

export interface Times {
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
  /** Milliseconds for which the event loop has been busy. */
  busy: () => number;
}

/** A long queue would delay new deliveries of other workspaces until it is empty. Alone it drains without a pause. */
export function createDrainThrottle({ now, busy }: Times): DrainThrottle {
  let last: { workspaceId: string; at: number } | undefined;
  let lastOther: typeof last;
  let batch = { size: 0, at: now(), busy: busy() };

  function restsFor(workspaceId: string): boolean {
    const other = last?.workspaceId === workspaceId ? lastOther : last;
    return other !== undefined && now() - other.at < BESIDE_MS;
  }

  function restMs(): number {
    const wholeMs = Math.min((busy() - batch.busy) * (1 + REST), LONGEST_MS);
    return Math.max(batch.at + wholeMs - now(), 0);
  }

  return {
    sentAtOnce(workspaceId) {
      if (last?.workspaceId !== workspaceId) lastOther = last;
      last = { workspaceId, at: now() };
    },
    available: (workspaceId) => batch.size < BATCH || !restsFor(workspaceId) || restMs() === 0,
    get waitMs() {
      return batch.size < BATCH ? 0 : restMs();
    },
    take() {
      if (batch.size >= BATCH) batch = { size: 0, at: now(), busy: busy() };
      batch.size += 1;
    },
  };
}
