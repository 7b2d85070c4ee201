export interface Loop extends AsyncDisposable {
  /** Asks for a round soon; many calls make one round. */
  nudge(): void;
}

export interface LoopOptions {
  /** Returns the milliseconds to the next round; a nudge shortens them. */
  round: (stopping: AbortSignal) => Promise<number>;
  /** Milliseconds between the starts of rounds, at least. */
  minGapMs: number;
  /** Nudges do not shorten the pause after a failure. */
  onFailure: (error: unknown, inARow: number) => void;
  /** Pauses after failures double from 100 ms up to this. Default 5,000. */
  maxBackOffMs?: number;
}

/** Runs rounds one after the other. Disposing waits for the round under way. */
export function startLoop({ round, minGapMs, onFailure, maxBackOffMs = 5000 }: LoopOptions): Loop {
  const stopping = new AbortController();
  let nudged = false;
  let failures = 0;
  let wake: (() => void) | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const started = performance.now();
      nudged = false;
      const pauseMs = await attempt();
      const gapMs = started + minGapMs - performance.now();
      // Even without a pause other work gets its turn.
      await pause(Math.max(gapMs, 0), false);
      await pause(pauseMs - Math.max(gapMs, 0), failures === 0);
    }
  }

  async function attempt(): Promise<number> {
    try {
      const pauseMs = await round(stopping.signal);
      failures = 0;
      return pauseMs;
    } catch (error) {
      failures += 1;
      onFailure(error, failures);
      return backOffMs(failures, maxBackOffMs);
    }
  }

  function pause(ms: number, endsWhenNudged: boolean): Promise<void> {
    if (stopping.signal.aborted || ms <= 0 || (endsWhenNudged && nudged))
      return new Promise((resolve) => setImmediate(resolve));
    return new Promise((resolve) => {
      const timer = setTimeout(finish, ms);
      function finish(): void {
        clearTimeout(timer);
        wake = undefined;
        resolve();
      }
      wake = () => {
        if (stopping.signal.aborted || endsWhenNudged) finish();
      };
    });
  }

  const running = run();
  return {
    nudge() {
      nudged = true;
      wake?.();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      wake?.();
      await running;
    },
  };
}

/** 100 ms after the first failure, doubling with each further one, varied by a tenth. */
export function backOffMs(failures: number, maxMs: number): number {
  return Math.min(100 * 2 ** (failures - 1), maxMs) * (0.9 + 0.2 * Math.random());
}
