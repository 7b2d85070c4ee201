import { isId } from "@canvass/values";
import type { QuestionType } from "./question-type.ts";

/**
 * Returns, by entry id, how many answers name it at most: one answer can name a column in several rows, and where
 * buckets hold amounts, every entry that received any counts as named by all answers.
 */
export function countEntries(
  { lists, countsAmounts }: Pick<QuestionType, "lists" | "countsAmounts">,
  responses: number,
  buckets: Iterable<readonly [bucket: string, count: number]>,
): Map<string, number> {
  const counts = new Map<string, number>();
  // A type without lists has no entries, but the bucket of a large number looks like an id.
  if (Object.keys(lists).length === 0) return counts;
  for (const [bucket, count] of buckets) {
    const added = countsAmounts ? responses : count;
    for (const key of new Set(bucket.split(":").filter((part) => count > 0 && isId(part)))) {
      counts.set(key, Math.min((counts.get(key) ?? 0) + added, responses));
    }
  }
  return counts;
}
