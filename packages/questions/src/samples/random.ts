/** Returns numbers from 0 (inclusive) to 1 (exclusive). The same numbers give the same samples. */
export type Random = () => number;

export function wholeNumber(least: number, most: number, random: Random): number {
  return least + Math.floor(random() * (most - least + 1));
}

export function skewedRandom(random: Random): number {
  return (Math.max(random(), random()) + random()) / 2;
}

export function pick<T>(list: readonly [T, ...T[]], random: Random): T;
export function pick<T>(list: readonly T[], random: Random): T | undefined;
export function pick<T>(list: readonly T[], random: Random): T | undefined {
  return list[wholeNumber(0, list.length - 1, random)];
}
