import type { QuestionType } from "./question-type.ts";

const id = /^[a-z0-9]{16}$/;

/**
 * How many answers name each choice, row, column and option, from a question's counters. A bucket names its entries
 * between colons. Where one answer can name an entry more than once, as a column chosen in many rows, the number is an
 * upper bound, never more than there are answers. Buckets of amounts tell only that an entry was given some: then all
 * answers count for it.
 */
export function countEntries(
  { lists, countsAmounts }: Pick<QuestionType, "lists" | "countsAmounts">,
  responses: number,
  buckets: Iterable<readonly [bucket: string, count: number]>,
): Map<string, number> {
  const counts = new Map<string, number>();
  // A number may be written like an id.
  if (Object.keys(lists).length === 0) return counts;
  for (const [bucket, count] of buckets) {
    const added = countsAmounts ? responses : count;
    for (const key of new Set(bucket.split(":").filter((part) => count > 0 && id.test(part)))) {
      counts.set(key, Math.min((counts.get(key) ?? 0) + added, responses));
    }
  }
  return counts;
}
