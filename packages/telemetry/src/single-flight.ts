export interface FlightOptions<About> {
  /** Milliseconds until a run is given up. Default 60,000. */
  longestMs?: number;
  /** Runs with different keys are concurrent. Default: the argument as text. */
  keyOf?: (about: About) => string;
}

/** Work took too long. It may still be running. */
export class GivenUp extends Error {
  override name = "GivenUp";
}

/** Limits `work` to one run per key, which concurrent callers share. However it ends, the next call starts another. */
export function singleFlight<Result, About = void>(
  work: (about: About, signal: AbortSignal) => Promise<Result> | Result,
  { longestMs = 60_000, keyOf = String }: FlightOptions<About> = {},
): (about: About) => Promise<Result> {
  const underWay = new Map<string, Promise<Result>>();
  return (about) => {
    const key = keyOf(about);
    const shared = underWay.get(key);
    if (shared) return shared;
    // `finally` runs in a later turn than `set`, even if the work throws at once.
    const run = giveUpAfter(longestMs, (signal) => work(about, signal)).finally(() => underWay.delete(key));
    underWay.set(key, run);
    return run;
  };
}

/** Calls `make` once and caches the result. After a failure the next call tries again. */
export function lazy<Made>(make: () => Promise<Made> | Made): () => Promise<Made> {
  let kept: { made: Made } | undefined;
  const run = singleFlight(async () => (kept = { made: await make() }));
  return async () => (kept ?? (await run())).made;
}

/** Settles like the work. After `longestMs` it rejects with GivenUp and aborts the signal with it. */
export function giveUpAfter<Result>(
  longestMs: number,
  work: (signal: AbortSignal) => Promise<Result> | Result,
): Promise<Result> {
  const ending = new AbortController();
  return new Promise<Result>((resolve, reject) => {
    const timer = setTimeout(() => {
      ending.abort(new GivenUp(`given up after ${longestMs} ms`));
      reject(ending.signal.reason as Error);
    }, longestMs).unref();
    const ended = () => clearTimeout(timer);
    const running = (async () => work(ending.signal))();
    running.finally(ended).then(resolve, reject);
  });
}
