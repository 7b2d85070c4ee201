import { LRUCache } from "lru-cache";

export interface SharedCacheOptions<Value> {
  maxSize: number;
  /** Size that an owner may use while others need the rest. */
  share: number;
  sizeOf: (value: Value) => number;
}

export interface SharedCache<Value> {
  get(ownerId: string, key: string): Value | undefined;
  set(ownerId: string, key: string, value: Value): void;
}

/**
 * A least-recently-used cache. Evicts from the largest owner beyond its share, of equal ones from the one whose last
 * `set` is oldest. If none is beyond its share, evicts from the one idle longest.
 */
export function createSharedCache<Value extends object>(options: SharedCacheOptions<Value>): SharedCache<Value> {
  const { maxSize, share, sizeOf: sizeCalculation } = options;
  // Maps keep insertion order: a used owner moves to the end.
  const owners = new Map<string, LRUCache<string, Value>>();
  // The owner that added last is at the end.
  const beyondShare = new Set<string>();
  let total = 0;

  function touchOwner(ownerId: string): LRUCache<string, Value> | undefined {
    const owner = owners.get(ownerId);
    if (!owner) return undefined;
    owners.delete(ownerId);
    owners.set(ownerId, owner);
    return owner;
  }

  function change(ownerId: string, owner: LRUCache<string, Value>, apply: () => void): void {
    total -= owner.calculatedSize;
    apply();
    total += owner.calculatedSize;
    if (owner.calculatedSize > share) beyondShare.add(ownerId);
    else beyondShare.delete(ownerId);
    if (owner.size === 0) owners.delete(ownerId);
  }

  function nextEvictedOwner(): string {
    let ownerId = owners.keys().next().value!;
    let most = share;
    for (const large of beyondShare) {
      const size = owners.get(large)!.calculatedSize;
      if (size > most) [ownerId, most] = [large, size];
    }
    return ownerId;
  }

  return {
    get: (ownerId, key) => touchOwner(ownerId)?.get(key),
    set(ownerId, key, value) {
      const owner = touchOwner(ownerId) ?? new LRUCache<string, Value>({ maxSize, sizeCalculation });
      owners.set(ownerId, owner);
      change(ownerId, owner, () => owner.set(key, value));
      if (beyondShare.delete(ownerId)) beyondShare.add(ownerId);
      while (total > maxSize) {
        const next = nextEvictedOwner();
        const evicted = owners.get(next)!;
        change(next, evicted, () => evicted.pop());
      }
    },
  };
}
