/**
 * What one answer adds to its question's running aggregate.
 *
 * `buckets` maps a bucket key to a whole number to add; the keys of a question are bounded by its settings, not by the
 * number of answers. `sum` is the answer's value in whole billionths (see numeric.ts), so adding and subtracting
 * never rounds. `number` is the plain value for types whose smallest and largest answer are told: every number is counted.
 */
export type Tally = {
  readonly buckets: Readonly<Record<string, number>>;
  readonly sum?: bigint;
  readonly number?: number;
};

/**
 * A question's running aggregate: what `distribution` is computed from.
 * `responseCount` counts standing answers; `min` and `max` are null where the type gives no `number`.
 */
export type AnswerStats = {
  readonly responseCount: number;
  readonly buckets: ReadonlyMap<string, number>;
  readonly sum: bigint;
  readonly min: number | null;
  readonly max: number | null;
  /**
   * How often each number was answered, of types with a histogram: all numbers where they are few, else those of
   * `edgeNumbers`.
   */
  readonly numbers?: ReadonlyMap<number, number>;
};

/** The tally of types that count nothing but the answer itself. */
export const emptyTally: Tally = Object.freeze({ buckets: Object.freeze({}) });

/** A tally that adds one to a single bucket. */
export function oneBucket(key: string): Tally {
  return { buckets: { [key]: 1 } };
}

/**
 * The net change when the answer tallied as `before` is replaced by the one tallied as `after`; null stands for no
 * answer. Buckets that cancel out are left out.
 */
export function tallyChange(
  before: Tally | null,
  after: Tally | null,
): { buckets: Record<string, number>; sum: bigint } {
  const buckets: Record<string, number> = { ...after?.buckets };
  for (const [key, count] of Object.entries(before?.buckets ?? {})) {
    const left = (buckets[key] ?? 0) - count;
    if (left === 0) delete buckets[key];
    else buckets[key] = left;
  }
  return { buckets, sum: (after?.sum ?? 0n) - (before?.sum ?? 0n) };
}

/** Adds (`times` 1) or takes away (`times` -1) a tally in a map of counters; counters at zero disappear. */
export function applyTally(counters: Map<string, number>, tally: Tally, times: 1 | -1): void {
  for (const [key, count] of Object.entries(tally.buckets)) {
    const left = (counters.get(key) ?? 0) + count * times;
    if (left === 0) counters.delete(key);
    else counters.set(key, left);
  }
}
