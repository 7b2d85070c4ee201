/** The share of an answer in an aggregate. Settings limit the keys of `buckets`. `sum` is in whole billionths. */
export type Tally = {
  readonly buckets: Readonly<Record<string, number>>;
  readonly sum?: bigint;
  readonly number?: number;
};

/** The aggregate of a question, for `distribution`. `min` and `max` are null for types without `number`. */
export type AnswerStats = {
  readonly responseCount: number;
  readonly buckets: ReadonlyMap<string, number>;
  readonly sum: bigint;
  readonly min: number | null;
  readonly max: number | null;
  /** Answers per number, for types with a histogram: of all numbers if they are few, else of `edgeNumbers`. */
  readonly numbers?: ReadonlyMap<number, number>;
};

export const emptyTally: Tally = Object.freeze({ buckets: Object.freeze({}) });

export function oneBucket(key: string): Tally {
  return { buckets: { [key]: 1 } };
}

/** Returns the change from `before` to `after`; null means no answer. Omits buckets that cancel out. */
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

/** `times`: how often to add, or -1 to subtract. Deletes counters that reach zero. */
export function applyTally(counters: Map<string, number>, tally: Tally, times: number): void {
  for (const [key, count] of Object.entries(tally.buckets)) {
    const left = (counters.get(key) ?? 0) + count * times;
    if (left === 0) counters.delete(key);
    else counters.set(key, left);
  }
}
