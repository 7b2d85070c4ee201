interface KeyBatcher<Item, Result> {
  ask: (item: Item) => Promise<Result>;
  asked: number;
}

/** Creates one batcher per key, so that keys do not wait for each other. Drops idle batchers. */
export function batchByKey<Item, Result>(
  keyOf: (item: Item) => string,
  create: (key: string) => (item: Item) => Promise<Result>,
): (item: Item) => Promise<Result> {
  const batchers = new Map<string, KeyBatcher<Item, Result>>();
  return async (item) => {
    const key = keyOf(item);
    const batcher = batchers.get(key) ?? { ask: create(key), asked: 0 };
    batchers.set(key, batcher);
    batcher.asked += 1;
    try {
      return await batcher.ask(item);
    } finally {
      batcher.asked -= 1;
      if (batcher.asked === 0) batchers.delete(key);
    }
  };
}
