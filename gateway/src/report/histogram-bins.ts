import { mergeBars, type HistogramBar, type Question } from "@canvass/questions";
import type { Bar } from "./figure.ts";
import { numberText } from "./format-text.ts";

const mostBins = 15;

/**
 * Merges the bars of a histogram into few. Where only whole numbers were answered, labels name the first and the last
 * that a bar holds; else they say that the upper edge is excluded.
 */
export function histogramBins(bars: readonly HistogramBar[], isWhole: boolean): Bar[] {
  const merged = mergeBars(bars, mostBins);
  // Answers to former settings may have decimals.
  const edges = [...bars.map(({ from }) => from), ...merged.flatMap(({ from, to }) => [from, to])];
  const showsWhole = isWhole && edges.every(Number.isInteger);
  return merged.map(({ from, to, count }) => ({ label: rangeText(from, to, showsWhole), value: count }));
}

/**
 * Decides by the settings, otherwise by the bars. If there are few different numbers, a bar is as wide as a unit of the
 * last decimal place.
 */
export function holdsWholeNumbers(
  { typeSettings }: Question,
  { histogram, min, max }: { histogram: readonly HistogramBar[]; min?: unknown; max?: unknown },
): boolean {
  const { decimals, step, min: least } = typeSettings as { decimals?: number | null; step?: number; min?: number };
  if (decimals === 0) return true;
  if (step !== undefined) return Number.isInteger(step) && Number.isInteger(least ?? 0);
  return Number.isInteger(min) && Number.isInteger(max) && histogram.every(({ from, to }) => to - from === 1);
}

function rangeText(from: number, to: number, isWhole: boolean): string {
  if (!isWhole) return `${numberText(from)} – <${numberText(to)}`;
  return to - from === 1 ? numberText(from) : `${numberText(from)} – ${numberText(to - 1)}`;
}
