/** Returns the smallest value that at least 99 % of the values do not exceed. */
export function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1]!;
}
