import type { MessageInitShape } from "@bufbuild/protobuf";
import { isStorable, unstorable, validationFailed } from "@canvass/inputs";
import type { CursorCodec } from "@canvass/postgres";
import type { ListSurveysRequest, ListSurveysResponseSchema } from "@canvass/proto/survey";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { requirePaging } from "../domain/paging.ts";
import { readSurveyOrder, sortValues, type SurveyOrder } from "../domain/survey-order.ts";
import { countSurveys, findSurveyPage, type SurveyFilter, type SurveyPosition } from "../storage/list-surveys.ts";
import { toSurveyMessage } from "./survey-message.ts";

const LONGEST_QUERY = 200;

/** One page of the workspace's surveys by keyset (contract 2.7). */
export async function listSurveys(
  { database: { sql }, cursors }: SurveyContext,
  request: ListSurveysRequest,
  call: Call,
): Promise<MessageInitShape<typeof ListSurveysResponseSchema>> {
  const { limit, active, query, includeTotal } = request;
  requirePaging({ limit });
  const filter: SurveyFilter = { workspaceId: call.caller.workspaceId, active, query: requireQuery(query) };
  const order = requireOrder(request.sort);
  const binding = ["surveys", filter.workspaceId, active, query, order.by, order.descending];
  const after = readCursor(cursors, binding, request.cursor);
  const [found, total] = await Promise.all([
    findSurveyPage(sql, { ...filter, order, after, limit: limit + 1 }),
    includeTotal ? countSurveys(sql, filter) : undefined,
  ]);
  const page = found.slice(0, limit);
  const hasMore = found.length > limit;
  const last = page.at(-1);
  return {
    surveys: page.map(({ survey }) => toSurveyMessage(survey)),
    hasMore,
    nextCursor: hasMore && last ? cursors.encode(binding, last.position) : "",
    ...(total === undefined ? {} : { total }),
  };
}

function requireQuery(query: string): string {
  if (!isStorable(query)) throw validationFailed([{ path: "q", message: unstorable }]);
  if (query.length <= LONGEST_QUERY) return query;
  throw validationFailed([{ path: "q", message: `must be text of at most ${LONGEST_QUERY} characters` }]);
}

function requireOrder(sort: string): SurveyOrder {
  const order = readSurveyOrder(sort);
  if (!order) throw validationFailed([{ path: "sort", message: `must be one of ${sortValues.join(", ")}` }]);
  return order;
}

function readCursor(
  cursors: CursorCodec,
  binding: Parameters<CursorCodec["decode"]>[0],
  cursor: string,
): SurveyPosition | undefined {
  if (cursor === "") return undefined;
  const position = cursors.decode(binding, cursor);
  if (!position) throw validationFailed([{ path: "cursor", message: "is not a cursor of this list and its filters" }]);
  return position as SurveyPosition;
}
