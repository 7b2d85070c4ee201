import type { CrosstabWeighting } from "./crosstab.ts";
import { effectiveSize } from "./effective-size.ts";
import type { Tally } from "./tally.ts";
import type { WeightingInput, WeightingResult } from "./weighting.ts";

/** What weights did to the respondents that a table counts. */
export function weightingFigures(
  { weights, iterations, converged, largestDifference, withoutTarget, unreached }: WeightingResult,
  tally: Tally,
  variables: readonly WeightingInput[],
): CrosstabWeighting {
  const groups = weights.map((weight, group) => ({ weight, respondents: tally.count(group, "all", "all") }));
  const used = groups.filter(({ respondents }) => respondents > 0).map(({ weight }) => weight);
  return {
    effectiveSize: effectiveSize(groups),
    iterations,
    converged,
    largestDifference,
    smallestWeight: used.length > 0 ? Math.min(...used) : null,
    largestWeight: used.length > 0 ? Math.max(...used) : null,
    variables: variables.map(({ axis }, index) => ({
      withoutTarget: withoutTarget[index]!,
      unreached: unreached[index]!.map((place) => axis.categories[place]?.label ?? String(place)),
    })),
  };
}
