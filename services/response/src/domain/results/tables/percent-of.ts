/** Per cent with two decimals; null of nothing. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 100;

/** A weighted count with four decimals. */
export const rounded = (count: number): number => Math.round(count * 10_000) / 10_000;
