import type { Place, Tally } from "./tally.ts";

/** Sums over all groups: `count` of respondents, `weigh` of their weights. */
export interface CellSums {
  count: (row: Place, column: Place) => number;
  weigh: (row: Place, column: Place) => number;
}

export function cellSumsOf(tally: Tally, weights?: readonly number[]): CellSums {
  const sum = (row: Place, column: Place, weightOf: (group: number) => number) => {
    let all = 0;
    for (let group = 0; group < tally.groups(); group += 1) all += weightOf(group) * tally.count(group, row, column);
    return all;
  };
  const count = (row: Place, column: Place) => sum(row, column, () => 1);
  return { count, weigh: weights ? (row, column) => sum(row, column, (group) => weights[group]!) : count };
}
