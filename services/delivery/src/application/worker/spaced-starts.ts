const FEW = 5;

/** Callers continue one by one, `gapMs` apart. While few wait, each also waits for `before`, even if that fails. */
export function createSpacedStarts(gapMs: number, before: () => Promise<void>): () => Promise<void> {
  let next = 0;
  let last = Promise.resolve();
  let waiting = 0;

  async function startNext(): Promise<void> {
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
    return (last = last.then(startNext));
  };
}
