const FEW = 5;

/**
 * Returns a function that resolves for its callers one by one, at least `gapMs` milliseconds apart. While few wait,
 * each also waits for `before`, even if that fails; a long queue skips it, because it would grow.
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
      // A failure of `before` must not stop the queue.
    }
    waiting -= 1;
    next = performance.now() + gapMs;
  }

  return () => {
    waiting += 1;
    return (last = last.then(turn));
  };
}
