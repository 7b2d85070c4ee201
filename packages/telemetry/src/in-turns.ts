/** Milliseconds a piece of long work may take before all else gets its turn. */
const TURN_MS = 5;

/** Pieces of long work that wait for a turn of the event loop of their own. */
const waiting: (() => void)[] = [];

/**
 * Runs long work in pieces, a few milliseconds in each turn of the event loop, so that it holds nobody up. The work is
 * a generator that yields wherever it may be interrupted. However much of such work there is, each turn has one piece.
 */
export async function inTurns<Result>(work: Generator<unknown, Result>): Promise<Result> {
  for (;;) {
    await ownTurn();
    const ends = performance.now() + TURN_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < ends);
  }
}

/** Maps a long list in turns. */
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

/**
 * For long work that is asynchronous: a function to be called between its pieces, which waits for an own turn whenever
 * the present one has had enough.
 */
export function createPacer(): () => Promise<void> {
  let ends = performance.now() + TURN_MS;
  return async () => {
    if (performance.now() < ends) return;
    await ownTurn();
    ends = performance.now() + TURN_MS;
  };
}

/** Runs work in pieces like `inTurns`, at the pace of long work that it is a part of. */
export async function atPace<Result>(pace: () => Promise<void>, work: Generator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await pace();
  }
}

/** Waits for a turn of the event loop that no other piece of long work has. */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(giveTurn);
}
