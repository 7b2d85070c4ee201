import { crosstabBody } from "@canvass/questions";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { RenderedData, respond } from "../../plugins/responses/envelope.ts";
import { readerSignal } from "../../plugins/responses/reader-signal.ts";
import type { Api } from "../api.ts";
import { envelope, withExamples } from "../schemas.ts";
import { crosstabSchema } from "./crosstab-schema.ts";
import { surveyParams } from "./response-params.ts";

const body = withExamples(crosstabBody, {
  two: { summary: "Two questions", value: { rows: { name: "satisfied" }, columns: { name: "gender" } } },
  matrix: {
    summary: "A matrix row by age, of completed respondents",
    value: {
      rows: { name: "qualities", part: ["taste"] },
      columns: { name: "age", edges: [30, 50, 65] },
      completed: true,
    },
  },
  weighted: {
    summary: "Weighted by gender",
    value: {
      rows: { name: "satisfied" },
      weights: [
        {
          name: "gender",
          targets: [
            { category: "woman", size: 51 },
            { category: "man", size: 49 },
          ],
        },
      ],
    },
  },
});

/** Counts respondents by one variable or two (contract 7.20). */
export function registerCountCrosstabRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/response/surveys/:surveyId/crosstabs",
    {
      config: { scope: "responses:read", countsAnswers: true, errors: ["survey_not_found", "service_unavailable"] },
      schema: {
        operationId: "countCrosstab",
        tags: ["Responses"],
        summary: "Count answers by one or two variables",
        description:
          "Returns counts and percentages by row, by column and of the total, with chi-square, optionally weighted. Writes nothing. Variables are " +
          "questions, parts of them, hidden fields, the language, the distributor or the version. With many respondents it may take up to 30 seconds.",
        params: surveyParams,
        body,
        response: { 200: envelope("The table", crosstabSchema) },
      },
    },
    async (request, reply) => {
      const asked = { surveyId: request.params.surveyId, bodyJson: request.bodyText! };
      const options = { ...rpcOptions(context, request), signal: readerSignal(reply) };
      const { crosstabJson } = await context.clients.responses.countCrosstab(asked, options);
      return respond(context, reply, { data: new RenderedData(crosstabJson) });
    },
  );
}
