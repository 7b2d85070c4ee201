import { validationFailed } from "@canvass/inputs";
import { smallestGroup } from "../require-group.ts";

export const isSmallGroup = (anonymous: number): boolean => anonymous > 0 && anonymous < smallestGroup;

/**
 * Throws `validation_failed` if few people with full anonymity have the values that are counted, and others lack one:
 * the variables select them, as a filter would, and the totals would show their answers.
 */
export function requireCounted(path: string, counted: number, missing: number): void {
  if (missing === 0 || !isSmallGroup(counted)) return;
  const message = `counts fewer than ${smallestGroup} of the respondents with full anonymity and leaves out others`;
  throw validationFailed([{ path, message }]);
}

/**
 * Returns which groups are withheld, given the respondents with full anonymity in each: the small ones, and the next
 * larger ones until all withheld together are no small group, since a reader can subtract the others from the total.
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

/**
 * Returns which categories of a variable are withheld, given the respondents with full anonymity who chose each, who
 * chose none, and all of them. A reader can also subtract a category from all, so those who did not choose it are a
 * group, too. Those who chose none stand behind the last category.
 */
export function withheldCategories(chosen: readonly number[], none: number, all: number): ReadonlySet<number> {
  const smaller = chosen.map((count) => (count < all ? Math.min(count, all - count) : count));
  return withheldGroups([...smaller, none]);
}
