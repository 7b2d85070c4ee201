/** Replaces equal texts by `mark(index)` until all differ. Marked texts must differ from each other. */
export function makeDistinct(texts: readonly string[], mark: (index: number) => string): string[] {
  const told = [...texts];
  const marked = new Set<number>();
  for (;;) {
    const equal = equalOnes(told).filter((index) => !marked.has(index));
    if (equal.length === 0) return told;
    for (const index of equal) {
      told[index] = mark(index);
      marked.add(index);
    }
  }
}

/** A marked text may be equal to an unmarked one. */
function equalOnes(texts: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return texts.flatMap((text, index) => (counts.get(text)! > 1 ? index : []));
}
