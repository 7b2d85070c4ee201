/** Milliseconds of long work per turn of the event loop. */
const TURN_MS = 5;

const waiting: (() => void)[] = [];

/** Runs at most one slice of a few milliseconds per turn of the event loop. The generator yields where it may stop. */
export async function inTurns<Result>(work: Generator<unknown, Result>): Promise<Result> {
  for (;;) {
    await yieldToEventLoop();
    const ends = performance.now() + TURN_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < ends);
  }
}

export function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  return inTurns(mapping(items, map));
}

function* mapping<Item, Result>(items: readonly Item[], map: (item: Item, index: number) => Result) {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    yield;
  }
  return results;
}

/** For asynchronous work: call the result between steps. It waits for a new turn when the slice is used up. */
export function createPacer(): () => Promise<void> {
  let ends = performance.now() + TURN_MS;
  return async () => {
    if (performance.now() < ends) return;
    await yieldToEventLoop();
    ends = performance.now() + TURN_MS;
  };
}

/** Like `inTurns`, but interrupted by the caller's `pace`. */
export async function atPace<Result>(pace: () => Promise<void>, work: Generator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await pace();
  }
}

export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(giveTurn);
}
