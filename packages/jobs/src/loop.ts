export interface Loop extends AsyncDisposable {
  /** Requests a round within `withinMs` (default: at once). Several requests make one round. */
  nudge(withinMs?: number): void;
}

export interface LoopOptions {
  /** Returns milliseconds to the next round; a nudge shortens the wait. */
  round: (stopping: AbortSignal) => Promise<number>;
  minGapMs: number;
  /** Called after each failure. A nudge does not shorten the back-off that follows. */
  onFailure: (error: unknown, inARow: number) => void;
  /** Maximum back-off; it doubles from 100 ms. Default 5,000. */
  maxBackOffMs?: number;
}

/** Runs rounds one after another. Disposing waits for the current round. */
export function startLoop({ round, minGapMs, onFailure, maxBackOffMs = 5000 }: LoopOptions): Loop {
  const stopping = new AbortController();
  /** Latest start of the next requested round, in milliseconds of `performance.now()`. */
  let askedFor = Number.POSITIVE_INFINITY;
  let failures = 0;
  let wake: (() => void) | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const started = performance.now();
      askedFor = Number.POSITIVE_INFINITY;
      const pauseMs = await attempt();
      const gapMs = started + minGapMs - performance.now();
      // Yields to other work even if there is no pause.
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
    const end = performance.now() + ms;
    const leftMs = () => Math.max((endsWhenNudged ? Math.min(end, askedFor) : end) - performance.now(), 0);
    if (stopping.signal.aborted || leftMs() === 0) return new Promise((resolve) => setImmediate(resolve));
    return new Promise((resolve) => {
      let timer = setTimeout(finish, leftMs());
      function finish(): void {
        clearTimeout(timer);
        wake = undefined;
        resolve();
      }
      wake = () => {
        if (stopping.signal.aborted || leftMs() === 0) return finish();
        clearTimeout(timer);
        timer = setTimeout(finish, leftMs());
      };
    });
  }

  const running = run();
  return {
    nudge(withinMs = 0) {
      const at = performance.now() + withinMs;
      if (at >= askedFor) return;
      askedFor = at;
      wake?.();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      wake?.();
      await running;
    },
  };
}

/** 100 ms after the first failure, doubling up to `maxMs`, with ten percent jitter. */
export function backOffMs(failures: number, maxMs: number): number {
  return Math.min(100 * 2 ** (failures - 1), maxMs) * (0.9 + 0.2 * Math.random());
}
