/** Milliseconds of long work per turn of the event loop. */
const SLICE_MS = 5;

const waiting: (() => void)[] = [];

/** Runs at most one slice of a few milliseconds per turn of the event loop. The generator yields where it may stop. */
export async function runInSlices<Result>(work: Generator<unknown, Result>): Promise<Result> {
  for (;;) {
    await yieldToEventLoop();
    const ends = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < ends);
  }
}

export function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  return runInSlices(mapping(items, map));
}

function* mapping<Item, Result>(items: readonly Item[], map: (item: Item, index: number) => Result) {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    yield;
  }
  return results;
}

/** For asynchronous work: call the result between steps. It yields to the event loop when the slice is used up. */
export function createYielder(): () => Promise<void> {
  let ends = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < ends) return;
    await yieldToEventLoop();
    ends = performance.now() + SLICE_MS;
  };
}

/** Like `runInSlices`, but in the slices of the caller's yielder. */
export async function runWithYielder<Result>(
  yieldIfDue: () => Promise<void>,
  work: Generator<unknown, Result>,
): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await yieldIfDue();
  }
}

/** Callers continue one per turn of the event loop, in their order. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext);
  });
}

function resumeNext(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(resumeNext);
}
