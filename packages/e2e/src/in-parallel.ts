/** Runs `work` for every item, at most `width` at a time. Rejects with the first failure. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      await work(items[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
}
