import type { Bar } from "./figure.ts";
import { figureText } from "./escape.ts";

export interface HistogramPart {
  /** `from` is included, `to` is excluded. */
  from: number;
  to: number;
  count: number;
}

const mostBins = 15;

/** Merges parts into few bins of equal width, gaps included. The width is 1, 2 or 5 times a power of ten. */
export function histogramBins(parts: readonly HistogramPart[]): Bar[] {
  if (parts.length === 0) return [];
  const first = Math.min(...parts.map(({ from }) => from));
  const last = Math.max(...parts.map(({ to }) => to));
  const widest = Math.max(...parts.map(({ from, to }) => to - from));
  const width = niceWidth(Math.max(widest, (last - first) / mostBins));
  const start = Math.floor(first / width);
  const bins = Array.from({ length: Math.max(1, Math.ceil(last / width - start)) }, () => 0);
  for (const { from, to, count } of parts) {
    const bin = Math.floor((from + to) / 2 / width) - start;
    bins[Math.min(bins.length - 1, Math.max(0, bin))]! += count;
  }
  return bins.map((value, bin) => ({ label: rangeText((start + bin) * width, width), value }));
}

function niceWidth(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  return [1, 2, 5, 10].map((times) => times * power).find((width) => width >= atLeast * 0.999)!;
}

function rangeText(from: number, width: number): string {
  if (width === 1) return figureText(from);
  const to = Number.isInteger(width) ? from + width - 1 : from + width;
  return `${figureText(from)} – ${figureText(to)}`;
}
