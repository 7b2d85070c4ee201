const FEW = 5;

/**
 * Waits for the caller's turn: callers go on one by one, at least `gapMs` milliseconds apart. While few wait each goes on after
 * `before`, also when that throws; a long queue would grow by it.
 */
export function createSpacedStarts(gapMs: number, before: () => Promise<void>): () => Promise<void> {
  let next = 0;
  let last = Promise.resolve();
  let waiting = 0;

  async function turn(): Promise<void> {
    const leftMs = next - performance.now();
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
    try {
      if (waiting <= FEW) await before();
    } catch {
      // It only lets others go first.
    }
    waiting -= 1;
    next = performance.now() + gapMs;
  }

  return () => {
    waiting += 1;
    return (last = last.then(turn));
  };
}
