import { answersQuery, defaultLimit, refuseViolations } from "@canvass/inputs";
import type { ListAnswersResponse } from "@canvass/proto/response";
import type { GatewayContext } from "../../context.ts";
import { respond, RenderedData, type Pagination } from "../../plugins/responses/envelope.ts";
import { ndjsonType } from "../../plugins/responses/ndjson.ts";
import { varyByType, wantedType } from "../../plugins/responses/wanted-type.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorList, numberedPagination } from "../pages.ts";
import { answerFilter } from "./answer-filter.ts";
import { answerSchema, answerText } from "./answer-view.ts";
import { surveyParams } from "./response-params.ts";
import { respondWithAnswers } from "./stream-answers.ts";

const description = `Lists the current answers, including those of tests, ordered by \`submittedAt\`, then \`id\`. \`streamAnswers\` returns all of them at once.

**By cursor** (first \`paging=cursor\`, then \`cursor\`). No answer is missed or repeated, even while new ones arrive. A page contains only
answers whose position is final, so the newest may appear after a short delay; until then \`hasMore\` is true. An answer that is changed
moves to its new time. With full anonymity, times are rounded to the day, so polling at the end of the list returns that day's answers
again. A page may have fewer answers than \`limit\`, even none, while \`hasMore\` is true. \`cursor_next\` is never null, so the end of the
list can be polled.

**By number** (\`page\`, default 1). Shows the current answers, up to the first 100,000. \`total\` is exact without filters; with filters it
stops at 100,000. If a page is cut short because of its size in bytes, continue with \`cursor_next\`, not with the next page.`;

/** Current answers (contract 7.9). */
export function registerListAnswersRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/response/surveys/:surveyId",
    {
      config: { scope: "responses:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "listAnswers",
        tags: ["Responses"],
        summary: "List a survey's answers",
        description,
        params: surveyParams,
        querystring: answersQuery,
        response: { 200: cursorList("A page of answers", answerSchema) },
      },
    },
    async (request, reply) => {
      const { limit, page, paging, cursor, ...filters } = request.query;
      const query = { ...request.params, ...filters };
      const { language = "" } = filters;
      if (wantedType(request, ["application/json", ndjsonType]) === ndjsonType) {
        refusePagingParameters({ limit, page, paging });
        return respondWithAnswers(context, reply, { ...query, ...(cursor !== undefined && { cursor }) });
      }
      const isNumbered = cursor === undefined && paging === undefined;
      const size = { limit: limit ?? defaultLimit, page: page ?? 1 };
      const position = isNumbered ? { page: size.page } : { cursor: cursor ?? "" };
      const found = await context.clients.responses.listAnswers(
        { filter: answerFilter(query), limit: size.limit, ...position, language },
        rpcOptions(context, request),
      );
      const data = new RenderedData(`[${found.answers.map((each) => answerText(query.surveyId, each)).join(",")}]`);
      varyByType(reply);
      return respond(context, reply, { data, pagination: paginationOf(found, size) });
    },
  );
}

/** NDJSON has no pages, so paging parameters are refused. */
function refusePagingParameters(paging: Record<string, unknown>): void {
  const given = Object.keys(paging).filter((name) => paging[name] !== undefined);
  refuseViolations(given.map((path) => ({ path, message: "has no effect on NDJSON; leave it out" })));
}

function paginationOf(
  { nextCursor, hasMore, total, totalIsExact }: ListAnswersResponse,
  size: { page: number; limit: number },
): Pagination {
  const end = { cursor_next: nextCursor, hasMore };
  return total === undefined ? end : { ...numberedPagination(size, Number(total)), totalIsExact, ...end };
}
