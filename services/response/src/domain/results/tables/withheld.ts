import { smallestGroup } from "../require-group.ts";

export const isSmallGroup = (anonymous: number): boolean => anonymous > 0 && anonymous < smallestGroup;

/**
 * Returns which groups are withheld, given the respondents with full anonymity in each: those with a few, and as many
 * of the next ones that what is left of the total is no small group either.
 */
export function withheldGroups(anonymous: readonly number[]): ReadonlySet<number> {
  const bySize = anonymous.map((count, at) => ({ count, at })).filter(({ count }) => count > 0);
  bySize.sort((a, b) => a.count - b.count);
  const withheld = new Set<number>();
  let sum = 0;
  for (const { count, at } of bySize) {
    if (!isSmallGroup(count) && !isSmallGroup(sum)) break;
    withheld.add(at);
    sum += count;
  }
  return withheld;
}
