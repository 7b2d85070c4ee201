import type { QuestionType } from "./question-type.ts";

const id = /^[a-z0-9]{16}$/;

/**
 * Counts the answers that name each choice, row, column and option, from a question's buckets, whose keys are entry ids
 * separated by colons. The count is an upper bound, limited by `responses`, if one answer can name an entry more than
 * once, such as a column in several rows. Amount buckets show only that an entry received something: then all answers
 * count.
 */
export function countEntries(
  { lists, countsAmounts }: Pick<QuestionType, "lists" | "countsAmounts">,
  responses: number,
  buckets: Iterable<readonly [bucket: string, count: number]>,
): Map<string, number> {
  const counts = new Map<string, number>();
  // A number may look like an id.
  if (Object.keys(lists).length === 0) return counts;
  for (const [bucket, count] of buckets) {
    const added = countsAmounts ? responses : count;
    for (const key of new Set(bucket.split(":").filter((part) => count > 0 && id.test(part)))) {
      counts.set(key, Math.min((counts.get(key) ?? 0) + added, responses));
    }
  }
  return counts;
}
