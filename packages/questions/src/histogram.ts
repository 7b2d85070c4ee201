import type { AnswerStats } from "./tally.ts";

/** A histogram bar: values from `from` (included) to `to` (excluded). */
export type HistogramBar = { from: number; to: number; count: number };

/** So many different numbers are told one by one. */
export const mostNumbers = 150;
/** Finer numbers share a bar. */
const mostDecimals = 2;

/**
 * The histogram bucket of a number: its magnitude rounded down to hundredths below 1, to whole numbers below 100 and to
 * two leading digits above, so that there are at most 200 + 90 per power of ten and side. Buckets do not depend on
 * the question's settings: counters survive a change of its limits.
 */
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

/** The magnitude at which the bucket that begins at `inner` ends. */
const outerOf = (inner: number): number => Math.round((inner + widthFrom(inner)) * 100) / 100;

/** The magnitude at which the bucket that ends at `outer` begins. */
function innerOf(outer: number): number {
  if (outer <= 1) return Math.round((outer - 0.01) * 100) / 100;
  return floorOf(outer - 1);
}

/**
 * The numbers whose counts place the answers below zero: buckets there hold their lower edge, bars their upper one. Of
 * questions whose `numbers` are not known as a whole.
 */
export function edgeNumbers(buckets: Iterable<string>): number[] {
  return [...buckets].filter((bucket) => bucket.startsWith("-")).map(Number);
}

/**
 * The bars of free numbers. Of few different numbers each has its bar, as wide as the last decimal that is in use; of many
 * the buckets are bars.
 */
export function histogramOf({ buckets, numbers = new Map() }: AnswerStats): HistogramBar[] {
  const inBuckets = [...buckets].filter(([bucket]) => Number.isFinite(Number(bucket)));
  const total = inBuckets.reduce((sum, [, count]) => sum + count, 0);
  const counted = [...numbers.values()].reduce((sum, count) => sum + count, 0);
  const isWhole = counted === total && numbers.size <= mostNumbers;
  const bars = isWhole ? numberBars(numbers) : bucketBars(inBuckets, numbers);
  return bars.filter(({ count }) => count !== 0).sort((a, b) => a.from - b.from);
}

function numberBars(numbers: ReadonlyMap<number, number>): HistogramBar[] {
  const decimals = Math.max(0, ...[...numbers.keys()].map(decimalsOf));
  const scale = 10 ** decimals;
  const counts = new Map<number, number>();
  for (const [number, count] of numbers) {
    const step = Math.floor(number * scale + 1e-9);
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
    // The bucket's lower edge is its last number; it begins the bar above.
    const edge = inner === 0 ? 0 : (numbers.get(-inner) ?? 0);
    add(-outerOf(inner), -inner, count - edge);
    if (edge !== 0) add(-inner, -innerOf(inner), edge);
  }
  return [...bars.values()];
}
