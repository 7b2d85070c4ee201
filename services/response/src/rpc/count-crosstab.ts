import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CountCrosstabRequest, CountCrosstabResponseSchema } from "@canvass/proto/response";
import { crosstabBody } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import { readTable } from "../application/results/read-table.ts";
import type { ResponseContext } from "../context.ts";
import { factsOf } from "../domain/results/tables/axis-input.ts";
import { readCrosstab } from "../domain/results/tables/read-crosstab.ts";

/** Counts respondents by one variable or two. */
export async function countCrosstab(
  context: ResponseContext,
  { surveyId, bodyJson }: CountCrosstabRequest,
  { caller: { workspaceId }, signal }: Call,
): Promise<MessageInitShape<typeof CountCrosstabResponseSchema>> {
  const ref = { workspaceId, surveyId };
  const { read, filter } = await readTable(context, ref, { schema: crosstabBody, json: bodyJson }, readCrosstab);
  const { rows, columns, weights } = read.input;
  const sources = [rows, ...(columns ? [columns] : []), ...weights.map(({ axis }) => axis)].map(({ source }) => source);
  const query = { ...ref, filter, wanted: factsOf(sources), includeOffPath: false };
  const { weighting, ...crosstab } = await context.computations.run("crosstab", query, read.input, signal);
  const variables = weighting?.variables.map((figures, index) => ({ variable: read.weights[index], ...figures }));
  const table = {
    surveyId,
    basis: "answers",
    percentagesOf: "answered",
    rowVariable: read.rows,
    columnVariable: read.columns,
    ...crosstab,
    weighting: weighting
      ? {
          ...weighting,
          variables,
        }
      : null,
  };
  return { crosstabJson: JSON.stringify(table) };
}
