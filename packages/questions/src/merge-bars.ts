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
  const first = Math.min(...bars.map(({ from }) => from));
  const last = Math.max(...bars.map(({ to }) => to));
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
  // By the middle, since the edges of decimals are not exact.
  for (const bar of bars) counts[Math.floor((bar.from + bar.to) / 2 / width) - start]! += bar.count;
  return counts.map((each, at) => ({ from: edge(start + at, width), to: edge(start + at + 1, width), count: each }));
}

const widthOf = (power: number, step: number): number => times[step]! * 10 ** power;

/** How many bars of a width cover a range, and the first's number. The tolerance is for decimals. */
function gapless(first: number, last: number, width: number) {
  const start = Math.floor(first / width + 1e-6);
  return { width, start, count: Math.ceil(last / width - 1e-6) - start };
}

const edge = (number: number, width: number): number => Number((number * width).toPrecision(15));
