import { answersQuery, defaultLimit, refuseViolations } from "@canvass/inputs";
import type { ListAnswersResponse } from "@canvass/proto/response";
import type { GatewayContext } from "../../context.ts";
import { respond, RenderedData, type Pagination } from "../../plugins/responses/envelope.ts";
import { rowsType } from "../../plugins/responses/ndjson.ts";
import { varyByType, wantedType } from "../../plugins/responses/wanted-type.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorList, numberedEnd } from "../pages.ts";
import { answerFilter } from "./answer-filter.ts";
import { answerSchema, answerText } from "./answer-view.ts";
import { surveyParams } from "./response-params.ts";
import { respondWithAnswers } from "./stream-answers.ts";

const description = `Current answers, those of tests too, in the order of \`submittedAt\`, then \`id\`. \`streamAnswers\` gives all of them at once.

**By cursor** (first \`paging=cursor\`, then \`cursor\`) nothing is missed and nothing comes twice, however many answers come in meanwhile:
a page holds what no other answer can come before any more, so the newest may take a moment to appear, with \`hasMore\` true.
An answer that is given again moves to its new time. With full anonymity the time is a day: whoever follows the end of the list begins
that day anew. A page may hold fewer answers than \`limit\`, even none, while \`hasMore\` is true. \`cursor_next\` is always given: the end of
the list may be asked again.

**By number** (\`page\`, 1 if nothing is given) all is shown that there is now, up to the 100,000th answer. \`total\` is exact for the whole list and counts up to
100,000 with filters. When a page is short because its answers are heavy, what it lacks is behind its \`cursor_next\`, not on the next page.`;

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
      if (wantedType(request, ["application/json", rowsType]) === rowsType) {
        refuseWithoutPages({ limit, page, paging });
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

/** Callers may ask for rows at the list's own address, too. */
function refuseWithoutPages(paging: Record<string, unknown>): void {
  const given = Object.keys(paging).filter((name) => paging[name] !== undefined);
  refuseViolations(given.map((path) => ({ path, message: "has no effect on rows; leave it out" })));
}

function paginationOf(
  { nextCursor, hasMore, total, totalIsExact }: ListAnswersResponse,
  size: { page: number; limit: number },
): Pagination {
  const end = { cursor_next: nextCursor, hasMore };
  return total === undefined ? end : { ...numberedEnd(size, Number(total)), totalIsExact, ...end };
}
