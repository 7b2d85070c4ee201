/** Options of an LRUCache for that many entries. Its own `max` reserves memory for all of them: 8 ms for 100,000. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
