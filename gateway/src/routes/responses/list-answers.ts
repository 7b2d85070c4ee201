import { answersQuery, defaultLimit, refuseViolations } from "@canvass/inputs";
import type { Static } from "typebox";
import type { ListAnswersResponse } from "@canvass/proto/response";
import type { FastifyReply } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { respond, RenderedData, type Pagination } from "../../plugins/responses/envelope.ts";
import { respondWithRows, listOrRowsResponse, rowsType } from "../../plugins/responses/ndjson.ts";
import { varyByType, wantedType } from "../../plugins/responses/wanted-type.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { eitherList } from "../pages.ts";
import { timestampOf } from "../timestamps.ts";
import { answerRowSchema, answerSchema, answerText } from "./answer-view.ts";
import { surveyParams } from "./response-params.ts";

const description = `Standing answers, those of tests too, in the order of \`submittedAt\`, then \`id\`.

**By cursor** (\`cursor\` given, at first empty) nothing is missed and nothing comes twice, however many answers come in meanwhile:
a page holds what no other answer can come before any more, so the newest may take a moment to appear, with \`hasMore\` true.
An answer that is given again moves to its new time. With full anonymity the time is a day: whoever follows the end of the list begins
that day anew. A page may hold fewer answers than \`limit\`, even none, while \`hasMore\` is true.

**By number** (\`page\`) all is shown that there is now, up to the 100,000th answer. \`total\` is exact for the whole list and counts up to
100,000 with filters. When a page is short because its answers are heavy, what it lacks is behind its \`cursor_next\`, not on the next page.

**As rows** (\`Accept: ${rowsType}\`) all answers of one moment are streamed; there is no \`limit\` or \`page\`. Each row has the \`cursor\` to go
on after it, here or by page. A workspace has two such streams at once (429 beyond); each ends with an error after 15 minutes.`;

type Query = Static<typeof answersQuery>;

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
        response: listOrRowsResponse(eitherList("A page of answers", answerSchema), answerRowSchema),
      },
    },
    async (request, reply) => {
      const { surveyId } = request.params;
      const { limit = defaultLimit, page = 1, cursor } = request.query;
      if (wantedType(request, ["application/json", rowsType]) === rowsType) {
        return streamAnswers(context, reply, surveyId, request.query);
      }
      const filter = filterOf(surveyId, request.query);
      const asked = cursor === undefined ? { page } : { cursor };
      const found = await context.clients.responses.listAnswers(
        { filter, limit, ...asked },
        rpcOptions(context, request),
      );
      const data = new RenderedData(`[${found.answers.map((each) => answerText(surveyId, each)).join(",")}]`);
      varyByType(reply);
      return respond(context, reply, { data, pagination: paginationOf(found, page, limit) });
    },
  );
}

function streamAnswers(context: GatewayContext, reply: FastifyReply, surveyId: string, query: Query): Promise<void> {
  const filter = filterOf(surveyId, query);
  const { cursor = "" } = query;
  const paging = (["limit", "page"] as const).filter((name) => query[name] !== undefined);
  refuseViolations(paging.map((path) => ({ path, message: "has no effect on rows; leave it out" })));
  return respondWithRows(context, reply, {
    open: (options) => context.clients.responses.streamAnswers({ filter, cursor }, options),
    view: ({ answers }) => answers.map((each) => new RenderedData(answerText(surveyId, each))),
  });
}

function filterOf(surveyId: string, { respondentId, elementId, from, to, completed }: Query) {
  return {
    surveyId,
    ...(respondentId !== undefined && { respondentId }),
    ...(elementId !== undefined && { elementId }),
    ...(from !== undefined && { from: timestampOf(from) }),
    ...(to !== undefined && { to: timestampOf(to) }),
    ...(completed !== undefined && { completed }),
  };
}

function paginationOf(
  { nextCursor, hasMore, ...counted }: ListAnswersResponse,
  page: number,
  limit: number,
): Pagination {
  if (counted.total === undefined) return { cursor_next: nextCursor, hasMore };
  const total = Number(counted.total);
  const { totalIsExact } = counted;
  return { total, totalIsExact, page, limit, totalPages: Math.ceil(total / limit), cursor_next: nextCursor, hasMore };
}
