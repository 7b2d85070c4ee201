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

const scaleTallies = Array.from({ length: 11 }, (_, step) => oneBucket(String(step)));

export function scaleTally(value: unknown): Tally {
  return scaleTallies[value as number] ?? oneBucket(String(value));
}

/** Counts the steps from `first` to `last`, and buckets of a formerly longer scale that have a count. */
export function scaleDistribution(stats: AnswerStats, first: number, last: number) {
  const counts: Record<string, number> = {};
  for (let step = first; step <= last; step++) counts[step] = stats.buckets.get(String(step)) ?? 0;
  for (const [bucket, count] of stats.buckets) {
    if (/^\d{1,3}$/.test(bucket) && count !== 0) counts[bucket] = count;
  }
  const chosen = Object.keys(counts)
    .map(Number)
    .filter((step) => counts[step] !== 0);
  const total = chosen.reduce((sum, step) => sum + (counts[step] ?? 0), 0);
  const weighted = chosen.reduce((sum, step) => sum + step * (counts[step] ?? 0), 0);
  return {
    mean: total > 0 ? weighted / total : null,
    min: total > 0 ? Math.min(...chosen) : null,
    max: total > 0 ? Math.max(...chosen) : null,
    counts,
  };
}
