/** Respondents that are alike in all weighting variables. */
export interface WeightingCell {
  /** By variable the place of its category among the targets; null without a value that has a target. */
  categories: readonly (number | null)[];
  respondents: number;
}

export interface Raked {
  /** By cell. The mean over all respondents is 1. */
  weights: number[];
  iterations: number;
  converged: boolean;
  /** The largest difference between a reached share and its target, from 0 to 1. */
  largestDifference: number;
}

export const rakingLimits = { iterations: 200, tolerance: 1e-6 } as const;

/**
 * Iterative proportional fitting (Deming and Stephan, 1940). `targets` has by variable the sizes of its categories,
 * relative to each other. A category without respondents is left out, and the others share what it has. A cell without
 * a value of a variable keeps the weight that the other variables give it.
 */
export function rake(cells: readonly WeightingCell[], targets: readonly (readonly number[])[]): Raked {
  const weights = cells.map(() => 1);
  const variables = targets.map((sizes, variable) => {
    const isPresent = sizes.map((_, category) =>
      cells.some((cell) => cell.categories[variable] === category && cell.respondents > 0),
    );
    const present = sizes.map((size, category) => (isPresent[category] ? size : 0));
    const sum = present.reduce((all, size) => all + size, 0);
    return { variable, shares: present.map((size) => size / sum) };
  });
  const totalsOf = (variable: number, shares: readonly number[]) => {
    const totals = shares.map(() => 0);
    for (const [at, { categories, respondents }] of cells.entries()) {
      const category = categories[variable] ?? null;
      if (category !== null) totals[category]! += weights[at]! * respondents;
    }
    return { totals, sum: totals.reduce((all, total) => all + total, 0) };
  };
  const difference = () => {
    const ofVariable = variables.map(({ variable, shares }) => {
      const { totals, sum } = totalsOf(variable, shares);
      return Math.max(...shares.map((share, category) => (sum === 0 ? 0 : Math.abs(totals[category]! / sum - share))));
    });
    return Math.max(0, ...ofVariable);
  };
  let iterations = 0;
  let largestDifference = difference();
  while (largestDifference > rakingLimits.tolerance && iterations < rakingLimits.iterations) {
    iterations += 1;
    for (const { variable, shares } of variables) {
      const { totals, sum } = totalsOf(variable, shares);
      for (const [at, { categories }] of cells.entries()) {
        const category = categories[variable] ?? null;
        if (category !== null) weights[at]! *= (shares[category]! * sum) / totals[category]!;
      }
    }
    largestDifference = difference();
  }
  const respondents = cells.reduce((sum, cell) => sum + cell.respondents, 0);
  const weighted = cells.reduce((sum, cell, at) => sum + cell.respondents * weights[at]!, 0);
  return {
    weights: weights.map((weight) => (weighted === 0 ? 1 : (weight * respondents) / weighted)),
    iterations,
    converged: largestDifference <= rakingLimits.tolerance,
    largestDifference,
  };
}
