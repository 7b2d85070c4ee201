/** Waits for the caller's turn: callers go on one by one, `gapMs` milliseconds apart. One alone does not wait. */
export function createSpacedStarts(gapMs: number): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = performance.now();
    const at = Math.max(now, next);
    next = at + gapMs;
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  };
}
