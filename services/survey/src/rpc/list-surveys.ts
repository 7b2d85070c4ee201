import type { MessageInitShape } from "@bufbuild/protobuf";
import { refuseViolations, shapeViolations, surveysQuery, type Violation } from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import type { ListSurveysRequest, ListSurveysResponseSchema } from "@canvass/proto/survey";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { readSurveyOrder } from "../domain/survey-order.ts";
import { countSurveys, findSurveyPage, type SurveyFilter, type SurveyPosition } from "../storage/list-surveys.ts";
import { toSurveyMessage } from "./survey-message.ts";

/** Lists one page of the workspace's surveys with keyset pagination (contract 2.7). */
export async function listSurveys(
  { database: { sql }, cursors }: SurveyContext,
  request: ListSurveysRequest,
  call: Call,
): Promise<MessageInitShape<typeof ListSurveysResponseSchema>> {
  const { active, query, includeTotal, sort } = request;
  const order = readSurveyOrder(sort);
  const filter: SurveyFilter = { workspaceId: call.caller.workspaceId, active, query };
  const binding = ["surveys", filter.workspaceId, active, query, order.by, order.descending];
  const page = openPage<SurveyPosition>(cursors, binding, request);
  refuseViolations([...filterViolations({ query, sort }), ...page.violations]);
  const [found, total] = await Promise.all([
    findSurveyPage(sql, { ...filter, order, after: page.after, limit: page.fetch }),
    includeTotal ? countSurveys(sql, filter) : undefined,
  ]);
  const { rows, ...end } = page.cut(found, ({ position }) => position);
  return { ...end, surveys: rows.map(({ survey }) => toSurveyMessage(survey)), ...(total !== undefined && { total }) };
}

function filterViolations({ query, sort }: { query: string; sort: string }): Violation[] {
  const { properties } = surveysQuery;
  const ofQuery = query === "" ? [] : shapeViolations(properties.q, query, "q");
  const ofSort = sort === "" ? [] : shapeViolations(properties.sort, sort, "sort");
  return [...ofQuery, ...ofSort];
}
