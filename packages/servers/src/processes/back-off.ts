/** When to start a process again after it died: `firstMs` doubles with every death in a row up to `longestMs`. */
export type BackOff = {
  firstMs: number;
  longestMs: number;
  /** A process that ran this long was stable: its next death counts as the first. */
  stableMs: number;
};

export const DEFAULT_BACK_OFF: BackOff = { firstMs: 200, longestMs: 10_000, stableMs: 10_000 };

/** Deaths in a row after one more of a process that ran for `ranMs`. */
export function deathsInARow(before: number, ranMs: number, backOff: BackOff): number {
  return ranMs >= backOff.stableMs ? 1 : before + 1;
}

/** Milliseconds to wait before the start that follows the `deaths`-th death in a row (1 or more). */
export function backOffMs(deaths: number, backOff: BackOff): number {
  return Math.min(backOff.longestMs, backOff.firstMs * 2 ** (deaths - 1));
}
