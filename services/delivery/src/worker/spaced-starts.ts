/**
 * Waits for the caller's turn: callers go on one by one, at least `gapMs` milliseconds apart, each after `before`. One alone waits
 * for that only.
 */
export function createSpacedStarts(gapMs: number, before: () => Promise<void>): () => Promise<void> {
  let next = 0;
  let last = Promise.resolve();

  async function turn(): Promise<void> {
    const leftMs = next - performance.now();
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
    await before();
    next = performance.now() + gapMs;
  }

  return () => (last = last.then(turn));
}
