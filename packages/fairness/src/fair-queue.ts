/** Items that wait, in a queue for each owner. Iterates over all of them. */
export interface FairQueue<Item> extends Iterable<Item> {
  readonly size: number;
  add(ownerId: string, item: Item): void;
  /**
   * Removes and returns the next item: owners round robin, each owner's items in their order. With `accepts`, skips
   * owners whose next item it refuses. They keep their turn. Removes items for which `discards` is true without using up
   * their owner's turn.
   */
  take(accepts?: (item: Item, ownerId: string) => boolean, discards?: (item: Item) => boolean): Item | undefined;
  remove(ownerId: string, item: Item): void;
}

/**
 * Serves owners round robin, whatever their backlogs. A new owner comes before all that were served. An owner without
 * items is new again only after its next turn, so that new owners never starve the others (RFC 8290, 4.2).
 */
export function createFairQueue<Item>(): FairQueue<Item> {
  type Owners = Map<string, Item[]>;
  const fresh: Owners = new Map();
  const served: Owners = new Map();
  let size = 0;

  function takeFrom(
    owners: Owners,
    accepts: (item: Item, ownerId: string) => boolean,
    discards: (item: Item) => boolean,
  ): Item | undefined {
    for (const [ownerId, items] of owners) {
      while (items.length > 0 && discards(items[0]!)) {
        items.shift();
        count(-1);
      }
      if (items.length === 0) owners.delete(ownerId);
      else if (accepts(items[0]!, ownerId)) {
        owners.delete(ownerId);
        served.set(ownerId, items);
        return items.shift();
      }
    }
    return undefined;
  }

  function count(by: number): void {
    size += by;
    if (size > 0) return;
    fresh.clear();
    served.clear();
  }

  return {
    *[Symbol.iterator]() {
      for (const owners of [fresh, served]) for (const items of owners.values()) yield* items;
    },
    get size() {
      return size;
    },
    add(ownerId, item) {
      const items = served.get(ownerId) ?? fresh.get(ownerId);
      if (items) items.push(item);
      else fresh.set(ownerId, [item]);
      count(1);
    },
    take(accepts = () => true, discards = () => false) {
      const item = takeFrom(fresh, accepts, discards) ?? takeFrom(served, accepts, discards);
      if (item !== undefined) count(-1);
      return item;
    },
    remove(ownerId, item) {
      const items = served.get(ownerId) ?? fresh.get(ownerId) ?? [];
      const index = items.indexOf(item);
      if (index < 0) return;
      items.splice(index, 1);
      count(-1);
    },
  };
}
