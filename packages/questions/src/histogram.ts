import type { AnswerStats } from "./tally.ts";

/** `from` is inclusive, `to` exclusive. */
export type HistogramBar = { from: number; to: number; count: number };

/** The most different numbers that have a bar each. */
export const mostNumbers = 150;
const mostDecimals = 2;

/** Buckets do not depend on settings, so counters survive a change of limits. */
export function bucketOf(value: number): string {
  const edge = floorOf(Math.abs(value));
  return value < 0 ? `-${edge}` : String(edge);
}

function floorOf(size: number): number {
  if (size < 1) return Math.floor(size * 100 + 1e-9) / 100;
  const width = widthFrom(Math.floor(size));
  return Math.floor(size / width) * width;
}

function widthFrom(edge: number): number {
  if (edge < 1) return 0.01;
  return edge < 100 ? 1 : 10 ** (String(edge).length - 2);
}

/** Returns the end of the bucket that starts at `inner`, by magnitude. */
const outerOf = (inner: number): number => Math.round((inner + widthFrom(inner)) * 100) / 100;

/** Returns the start of the bucket that ends at `outer`, by magnitude. */
function innerOf(outer: number): number {
  if (outer <= 1) return Math.round((outer - 0.01) * 100) / 100;
  return floorOf(outer - 1);
}

/** Returns the edges of negative buckets. `histogramOf` needs their counts, because bars exclude their upper edge. */
export function edgeNumbers(buckets: Iterable<string>): number[] {
  return [...buckets].filter((bucket) => bucket.startsWith("-")).map(Number);
}

/** Whether a number is one of `edgeNumbers` once its bucket is counted. */
export function isEdgeNumber(number: number): boolean {
  return number < 0 && Number(bucketOf(number)) === number;
}

/** Returns one bar for each number, or if there are too many, one for each bucket. */
export function histogramOf({ buckets, numbers = new Map() }: AnswerStats): HistogramBar[] {
  const inBuckets = [...buckets].filter(([bucket]) => Number.isFinite(Number(bucket)));
  const total = inBuckets.reduce((sum, [, count]) => sum + count, 0);
  const counted = [...numbers.values()].reduce((sum, count) => sum + count, 0);
  const isWhole = counted === total && numbers.size <= mostNumbers;
  const bars = isWhole ? numberBars(numbers) : bucketBars(inBuckets, numbers);
  return bars.filter(({ count }) => count !== 0).sort((a, b) => a.from - b.from);
}

function numberBars(numbers: ReadonlyMap<number, number>): HistogramBar[] {
  const given = [...numbers.keys()];
  let decimals = Math.max(0, ...given.map(decimalsOf));
  // Beyond exact steps a bar would have no width.
  const largest = Math.max(...given.map(Math.abs));
  while (decimals > 0 && largest * 10 ** decimals >= Number.MAX_SAFE_INTEGER) decimals -= 1;
  const scale = 10 ** decimals;
  const counts = new Map<number, number>();
  for (const [number, count] of numbers) {
    // The product may be a little below a whole number.
    const isExact = Number(number.toFixed(decimals)) === number;
    const step = isExact ? Math.round(number * scale) : Math.floor(number * scale);
    counts.set(step, (counts.get(step) ?? 0) + count);
  }
  return [...counts].map(([step, count]) => ({ from: step / scale, to: (step + 1) / scale, count }));
}

function decimalsOf(number: number): number {
  let decimals = 0;
  while (decimals < mostDecimals && Number(number.toFixed(decimals)) !== number) decimals += 1;
  return decimals;
}

function bucketBars(buckets: readonly [string, number][], numbers: ReadonlyMap<number, number>): HistogramBar[] {
  const bars = new Map<number, HistogramBar>();
  const add = (from: number, to: number, count: number) => {
    const bar = bars.get(from) ?? { from, to, count: 0 };
    bars.set(from, { ...bar, count: bar.count + count });
  };
  for (const [bucket, count] of buckets) {
    const inner = Math.abs(Number(bucket));
    if (!bucket.startsWith("-")) {
      add(inner, outerOf(inner), count);
      continue;
    }
    // The bucket includes the number at its upper edge, which is the start of the next bar.
    const edge = inner === 0 ? 0 : (numbers.get(-inner) ?? 0);
    add(-outerOf(inner), -inner, count - edge);
    if (edge !== 0) add(-inner, -innerOf(inner), edge);
  }
  return [...bars.values()];
}
