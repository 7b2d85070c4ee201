/** Runs `work` for each item in turn, also after failures, until `stopping`. Then throws the first failure. */
export async function despiteFailures<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  stopping?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    if (stopping?.aborted) break;
    await work(item).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
