/** The next number from 0 (included) to 1 (excluded). The same source from its start gives the same samples. */
export type Random = () => number;

/** A whole number from `least` to `most`, all alike. */
export function wholeNumber(least: number, most: number, random: Random): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** A number from 0 to 1 (excluded) that leans to the upper middle, as people's ratings do. */
export function leaning(random: Random): number {
  return (Math.max(random(), random()) + random()) / 2;
}

export function pick<T>(list: readonly [T, ...T[]], random: Random): T;
export function pick<T>(list: readonly T[], random: Random): T | undefined;
export function pick<T>(list: readonly T[], random: Random): T | undefined {
  return list[wholeNumber(0, list.length - 1, random)];
}
