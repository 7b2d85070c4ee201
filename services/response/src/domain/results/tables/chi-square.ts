import { chiSquareTail } from "./chi-square-tail.ts";

export interface ChiSquare {
  value: number;
  degreesOfFreedom: number;
  /** Probability of a value at least as large if rows and columns are independent. */
  p: number;
  /** The smallest count that independence leads to, and how many such counts are below 5, where p is rough. */
  smallestExpected: number;
  expectedBelow5: number;
}

/**
 * Pearson's test of independence, without correction for continuity. Rows and columns without counts are left out; null
 * if fewer than two of either are left. Weighted counts are scaled to `effective` respondents, so that weights do not
 * make a result look surer than it is.
 */
export function chiSquareOf(counts: readonly (readonly number[])[], effective?: number): ChiSquare | null {
  const totals = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  const columnTotals = (counts[0] ?? []).map((_, column) => counts.reduce((sum, row) => sum + row[column]!, 0));
  const rows = totals.filter((total) => total > 0).length;
  const columns = columnTotals.filter((total) => total > 0).length;
  if (rows < 2 || columns < 2) return null;
  const total = totals.reduce((sum, each) => sum + each, 0);
  const scale = effective === undefined ? 1 : effective / total;
  let value = 0;
  let smallestExpected = Number.POSITIVE_INFINITY;
  let expectedBelow5 = 0;
  for (const [row, inRow] of totals.entries()) {
    for (const [column, inColumn] of columnTotals.entries()) {
      if (inRow === 0 || inColumn === 0) continue;
      const expected = (inRow * inColumn * scale) / total;
      value += (counts[row]![column]! * scale - expected) ** 2 / expected;
      smallestExpected = Math.min(smallestExpected, expected);
      if (expected < 5) expectedBelow5 += 1;
    }
  }
  const degreesOfFreedom = (rows - 1) * (columns - 1);
  return { value, degreesOfFreedom, p: chiSquareTail(degreesOfFreedom, value), smallestExpected, expectedBelow5 };
}
