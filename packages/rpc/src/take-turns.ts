/** Orders items round robin by owner, beginning with the owner served longest ago. */
export interface Turns<Item> {
  order(items: readonly Item[]): Item[];
  served(items: readonly Item[]): void;
  clear(): void;
}

export function createTurns<Item>(ownerOf: (item: Item) => string): Turns<Item> {
  const lastServed = new Map<string, number>();
  let round = 0;
  return {
    order(items) {
      const queues = [...Map.groupBy(items, ownerOf)].toSorted(
        ([a], [b]) => (lastServed.get(a) ?? 0) - (lastServed.get(b) ?? 0),
      );
      const ordered: Item[] = [];
      for (let turn = 0; ordered.length < items.length; turn += 1) {
        for (const [, queue] of queues) if (turn < queue.length) ordered.push(queue[turn]!);
      }
      return ordered;
    },
    served(items) {
      round += 1;
      for (const item of items) lastServed.set(ownerOf(item), round);
    },
    clear: () => lastServed.clear(),
  };
}
