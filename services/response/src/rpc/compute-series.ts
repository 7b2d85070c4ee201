import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ComputeSeriesRequest, ComputeSeriesResponseSchema } from "@canvass/proto/response";
import { seriesBody } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import { readTable } from "../application/results/read-table.ts";
import type { ResponseContext } from "../context.ts";
import { factsOf } from "../domain/results/tables/axis-input.ts";
import { readSeries } from "../domain/results/tables/read-series.ts";

/** Computes a measure over time. */
export async function computeSeries(
  context: ResponseContext,
  { surveyId, bodyJson }: ComputeSeriesRequest,
  { caller: { workspaceId, timeZone: usual }, signal }: Call,
): Promise<MessageInitShape<typeof ComputeSeriesResponseSchema>> {
  const ref = { workspaceId, surveyId };
  const { read, filter } = await readTable(
    context,
    ref,
    { schema: seriesBody, json: bodyJson },
    (body, definition, violations) => readSeries(body, { definition, timeZone: usual }, violations),
  );
  const { input, variable, categories } = read;
  const query = { ...ref, filter, wanted: { ...factsOf([input.source]), startedAt: true }, includeOffPath: false };
  const series = await context.computations.run("series", query, input, signal);
  const { by, measure, timeZone } = input;
  const about = {
    surveyId,
    basis: "answers",
    variable,
    by,
    timeZone,
    measure,
    ...(measure === "share" && { categories }),
  };
  return { seriesJson: JSON.stringify({ ...about, ...series }) };
}
