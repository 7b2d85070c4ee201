import type { Random } from "../samples/random.ts";

/** The seed of a respondent's orders: from 1 to `largestOrderSeed`. */
export const largestOrderSeed = 0x7fff_ffff;

/** FNV-1a: a number of 32 bits that depends on all of a text. */
export function hash32(text: string): number {
  let sum = 0x811c9dc5;
  for (const char of text) sum = Math.imul(sum ^ char.codePointAt(0)!, 0x01000193);
  return sum >>> 0;
}

/** Returns the seed that a word of a respondent gives, such as its id. */
export const orderSeedOf = (word: string): number => hash32(word) >>> 1 || 1;

/**
 * Returns items in the order that a respondent sees. Pinned ones keep their places. Each `subject`, the id of what the
 * items belong to, has an order of its own. The order of a seed never changes: stored seeds stand for orders shown.
 */
export function shownOrder<Item>(
  items: readonly Item[],
  isPinned: (item: Item) => boolean,
  seed: number,
  subject: string,
): Item[] {
  const random = uniformNumbers(hash32(`${seed} ${subject}`));
  const free = items.filter((item) => !isPinned(item));
  for (let last = free.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    [free[last], free[at]] = [free[at]!, free[last]!];
  }
  let next = 0;
  return items.map((item) => (isPinned(item) ? item : free[next++]!));
}

/** Mulberry32, by Tommy Ettinger (public domain). */
function uniformNumbers(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
