import { createAxis } from "./axis.ts";
import type { AxisInput } from "./axis-input.ts";
import type { Crosstab } from "./crosstab.ts";
import { crosstabOf } from "./crosstab-of.ts";
import { createTally } from "./tally.ts";
import type { TabledRespondents } from "./value-of.ts";
import { createWeighting, type WeightingInput } from "./weighting.ts";

export interface CrosstabInput {
  rows: AxisInput;
  columns: AxisInput | null;
  /** Whether one of them takes several answers. */
  isMultiple: boolean;
  weights: readonly WeightingInput[];
}

/** Counts respondents by the categories of one variable or two. Throws `validation_failed` at a table too large. */
export async function tabulate(
  respondents: AsyncIterable<readonly TabledRespondents[]>,
  input: CrosstabInput,
): Promise<Crosstab> {
  const rows = createAxis(input.rows);
  const columns = input.columns && createAxis(input.columns);
  const weighting = input.weights.length > 0 ? createWeighting(input.weights) : null;
  const tally = createTally();
  const anonymous = createTally();
  const anonymousByGroup = new Map<number, number>();
  let matched = 0;
  for await (const some of respondents) {
    for (const respondent of some) {
      const { count } = respondent;
      matched += count;
      const inRows = rows.placesOf(respondent);
      const inColumns = columns ? columns.placesOf(respondent) : [];
      const group = weighting?.addToGroup(respondent) ?? 0;
      tally.add(count, group, inRows, inColumns);
      if (!respondent.isAnonymous) continue;
      anonymous.add(count, 0, inRows, inColumns);
      if (inRows && inColumns) anonymousByGroup.set(group, (anonymousByGroup.get(group) ?? 0) + count);
    }
  }
  const counts = { tally, anonymous, anonymousByGroup, matched };
  return crosstabOf({ rows, columns, weighting: weighting?.result() ?? null, input, ...counts });
}
