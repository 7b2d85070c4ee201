import { answerRowsQuery } from "@canvass/inputs";
import type { FastifyReply } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { RenderedData } from "../../plugins/responses/envelope.ts";
import { respondWithRows, ndjsonResponse } from "../../plugins/responses/ndjson.ts";
import type { Api } from "../api.ts";
import { answerFilter, type AnswerQuery } from "./answer-filter.ts";
import { answerRowSchema, answerText } from "./answer-view.ts";
import { surveyParams } from "./response-params.ts";

const description = `Streams all current answers, as of one moment, as fast as you read them. Each row has the \`cursor\` to continue after it, here or with
\`listAnswers\`. A workspace can have two streams at once (429 beyond); each ends with an error after 15 minutes.`;

/** Current answers as rows (contract 7.9). */
export function registerStreamAnswersRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/response/surveys/:surveyId/stream",
    {
      config: { scope: "responses:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "streamAnswers",
        tags: ["Responses"],
        summary: "Stream a survey's answers",
        description,
        params: surveyParams,
        querystring: answerRowsQuery,
        response: ndjsonResponse("The answers in their order", answerRowSchema),
      },
    },
    (request, reply) => respondWithAnswers(context, reply, { ...request.params, ...request.query }),
  );
}

interface AskedRows extends AnswerQuery {
  cursor?: string;
}

/** Streams the answers after the cursor. */
export function respondWithAnswers(
  context: GatewayContext,
  reply: FastifyReply,
  { cursor = "", language = "", ...query }: AskedRows,
): Promise<void> {
  const filter = answerFilter(query);
  return respondWithRows(context, reply, {
    open: (options) => context.clients.responses.streamAnswers({ filter, cursor, language }, options),
    view: ({ answers }) => answers.map((each) => new RenderedData(answerText(query.surveyId, each))),
  });
}
