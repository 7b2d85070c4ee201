/** Back-off between restarts: `firstMs` doubles per consecutive death up to `longestMs`. */
export type BackOff = {
  firstMs: number;
  longestMs: number;
  /** After a run of this length, the next death counts as the first. */
  stableMs: number;
};

export const DEFAULT_BACK_OFF: BackOff = { firstMs: 200, longestMs: 10_000, stableMs: 10_000 };

export function deathsInARow(before: number, ranMs: number, backOff: BackOff): number {
  return ranMs >= backOff.stableMs ? 1 : before + 1;
}

/** Returns milliseconds until the restart. `deaths` is at least 1. */
export function backOffMs(deaths: number, backOff: BackOff): number {
  return Math.min(backOff.longestMs, backOff.firstMs * 2 ** (deaths - 1));
}
