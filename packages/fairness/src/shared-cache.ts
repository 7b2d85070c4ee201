import { LRUCache } from "lru-cache";

export interface SharedCacheOptions {
  maxSize: number;
  share: number;
}

export interface SharedCache<Value> {
  get(ownerId: string, key: string): Value | undefined;
  set(ownerId: string, key: string, value: Value): void;
}

/** A least-recently-used cache. Evicts from the largest owner beyond its share, else from the one idle longest. */
export function createSharedCache<Value extends { size: number }>({
  maxSize,
  share,
}: SharedCacheOptions): SharedCache<Value> {
  // Maps keep insertion order: a used owner moves to the end.
  const owners = new Map<string, LRUCache<string, Value>>();

  function used(ownerId: string): LRUCache<string, Value> | undefined {
    const owner = owners.get(ownerId);
    if (!owner) return undefined;
    owners.delete(ownerId);
    owners.set(ownerId, owner);
    return owner;
  }

  function evictOldest(): void {
    let total = 0;
    for (const { calculatedSize } of owners.values()) total += calculatedSize;
    while (total > maxSize) {
      const [ownerId, owner] = leaving();
      total -= owner.pop()?.size ?? 0;
      if (owner.size === 0) owners.delete(ownerId);
    }
  }

  function leaving(): [string, LRUCache<string, Value>] {
    const entries = [...owners];
    const largest = entries.reduce((most, entry) => (entry[1].calculatedSize > most[1].calculatedSize ? entry : most));
    return largest[1].calculatedSize > share ? largest : entries[0]!;
  }

  return {
    get: (ownerId, key) => used(ownerId)?.get(key),
    set(ownerId, key, value) {
      const owner = used(ownerId) ?? new LRUCache<string, Value>({ maxSize, sizeCalculation: ({ size }) => size });
      owner.set(key, value);
      if (owner.size > 0) owners.set(ownerId, owner);
      evictOldest();
    },
  };
}
