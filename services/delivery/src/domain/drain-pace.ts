/** Lets what waits in lanes share the process with what others have just published. */
export interface DrainPace {
  /** A delivery of the workspace is sent as it is queued. */
  sentAtOnce(workspaceId: string): void;
  /** Whether one that has waited may begin now. */
  available(workspaceId: string): boolean;
  /** Milliseconds until then; at least 0. */
  readonly waitMs: number;
  /** One that has waited begins. */
  take(): void;
}

/** For so long after a delivery that was sent at once, those of other workspaces that have waited rest between bunches. */
const BESIDE_MS = 1000;
const BUNCH = 8;
/** A rest, as a multiple of the time for which the bunch kept the process busy. */
const REST = 5;
/** Of a bunch with its rest: whatever keeps the process busy, a queue drains. */
const LONGEST_MS = 12.5;

export interface Times {
  /** Milliseconds. */
  now: () => number;
  /** Milliseconds for which the event loop has worked, of `now`. */
  busy: () => number;
}

/**
 * A queue of thousands, as of a webhook that was resumed, would keep the process, its database and the receiver busy for as
 * long as it lasts, and each new delivery of others would wait for them at every step. Alone it drains without a rest.
 */
export function createDrainPace({ now, busy }: Times): DrainPace {
  /** The last two workspaces that sent at once. */
  let last: { workspaceId: string; at: number } | undefined;
  let lastOther: typeof last;
  let bunch = { size: 0, at: now(), busy: busy() };

  function restsFor(workspaceId: string): boolean {
    const other = last?.workspaceId === workspaceId ? lastOther : last;
    return other !== undefined && now() - other.at < BESIDE_MS;
  }

  function restMs(): number {
    const wholeMs = Math.min((busy() - bunch.busy) * (1 + REST), LONGEST_MS);
    return Math.max(bunch.at + wholeMs - now(), 0);
  }

  return {
    sentAtOnce(workspaceId) {
      if (last?.workspaceId !== workspaceId) lastOther = last;
      last = { workspaceId, at: now() };
    },
    available: (workspaceId) => bunch.size < BUNCH || !restsFor(workspaceId) || restMs() === 0,
    get waitMs() {
      return bunch.size < BUNCH ? 0 : restMs();
    },
    take() {
      if (bunch.size >= BUNCH) bunch = { size: 0, at: now(), busy: busy() };
      bunch.size += 1;
    },
  };
}
