import type { QuestionType } from "./question-type.ts";

const id = /^[a-z0-9]{16}$/;

/** Counts the answers that name each entry; an upper bound, because one answer can name a column in several rows. */
export function countEntries(
  { lists, countsAmounts }: Pick<QuestionType, "lists" | "countsAmounts">,
  responses: number,
  buckets: Iterable<readonly [bucket: string, count: number]>,
): Map<string, number> {
  const counts = new Map<string, number>();
  // A bucket of a number may look like an id.
  if (Object.keys(lists).length === 0) return counts;
  for (const [bucket, count] of buckets) {
    const added = countsAmounts ? responses : count;
    for (const key of new Set(bucket.split(":").filter((part) => count > 0 && id.test(part)))) {
      counts.set(key, Math.min((counts.get(key) ?? 0) + added, responses));
    }
  }
  return counts;
}
