import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CountCrosstabRequest, CountCrosstabResponseSchema } from "@canvass/proto/response";
import { crosstabBody } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import { computeCrosstab } from "../application/results/compute-tables.ts";
import { readTable } from "../application/results/read-table.ts";
import type { ResponseContext } from "../context.ts";
import { readCrosstab } from "../domain/results/tables/read-crosstab.ts";

/** Counts respondents by one variable or two. */
export async function countCrosstab(
  context: ResponseContext,
  { surveyId, bodyJson }: CountCrosstabRequest,
  call: Call,
): Promise<MessageInitShape<typeof CountCrosstabResponseSchema>> {
  const { workspaceId, timeZone } = call.caller;
  const ref = { workspaceId, surveyId };
  const { read, filter } = await readTable(context, ref, { schema: crosstabBody, json: bodyJson }, readCrosstab);
  const counted = { ...ref, filter, timeZone, includeOffPath: false };
  const table = await call.withoutPermit(() => computeCrosstab(context, counted, read, call.signal));
  return { crosstabJson: JSON.stringify(table) };
}
