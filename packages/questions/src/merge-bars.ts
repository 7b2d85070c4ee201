import type { HistogramBar } from "./histogram.ts";

const times = [1, 2, 5] as const;

/**
 * Merges the bars of a histogram into at most `most` of one width, gaps included. The width is 1, 2 or 5 times a power
 * of ten and the edges are multiples of it, so that bars are only joined, never cut: each still includes its lower edge
 * and excludes its upper one, also below zero. None is narrower than the widest given one. `most` is at least 2, since
 * zero is always an edge.
 */
export function mergeBars(bars: readonly HistogramBar[], most: number): HistogramBar[] {
  if (bars.length === 0) return [];
  // A bar lies where its middle does. Edges of decimals are not exact, and one above an edge may be very narrow.
  const middles = bars.map(({ from, to }) => (from + to) / 2);
  const [first, last] = [Math.min(...middles), Math.max(...middles)];
  const widest = Math.max(...bars.map(({ from, to }) => to - from));
  let [power, step] = [Math.round(Math.log10(widest)), 0];
  let merged = gapless(first, last, widthOf(power, step));
  while (merged.count > most) {
    step = (step + 1) % times.length;
    if (step === 0) power += 1;
    merged = gapless(first, last, widthOf(power, step));
  }
  const { width, start, count } = merged;
  const counts = Array.from({ length: count }, () => 0);
  for (const [at, bar] of bars.entries()) counts[Math.floor(middles[at]! / width) - start]! += bar.count;
  return counts.map((each, at) => ({ from: edge(start + at, width), to: edge(start + at + 1, width), count: each }));
}

const widthOf = (power: number, step: number): number => times[step]! * 10 ** power;

/** How many bars of a width cover the middles of a range, and the first's number. */
function gapless(first: number, last: number, width: number) {
  const start = Math.floor(first / width);
  return { width, start, count: Math.floor(last / width) - start + 1 };
}

/** Rounds decimals, which are not exact. */
const edge = (number: number, width: number): number =>
  width < 1 ? Number((number * width).toPrecision(15)) : number * width;
