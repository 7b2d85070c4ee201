import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ComputeSeriesRequest, ComputeSeriesResponseSchema } from "@canvass/proto/response";
import { seriesBody } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import { computeSeries as compute } from "../application/results/compute-tables.ts";
import { readTable } from "../application/results/read-table.ts";
import type { ResponseContext } from "../context.ts";
import { readSeries } from "../domain/results/tables/read-series.ts";

/** Computes a measure over time. */
export async function computeSeries(
  context: ResponseContext,
  { surveyId, bodyJson }: ComputeSeriesRequest,
  call: Call,
): Promise<MessageInitShape<typeof ComputeSeriesResponseSchema>> {
  const { workspaceId, timeZone } = call.caller;
  const ref = { workspaceId, surveyId };
  const { read, filter } = await readTable(
    context,
    ref,
    { schema: seriesBody, json: bodyJson },
    (body, definition, violations) => readSeries(body, { definition, timeZone }, violations),
  );
  const counted = { ...ref, filter, timeZone, includeOffPath: false };
  const series = await call.withoutPermit(() => compute(context, counted, read, call.signal));
  return { seriesJson: JSON.stringify(series) };
}
