import { answersSchemaQuery } from "@canvass/inputs";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { surveyParams } from "../surveys/survey-input.ts";

export function registerGetAnswersSchemaRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/answers-schema",
    {
      config: { scope: "surveys:read", errors: ["survey_not_found", "version_not_found"] },
      schema: {
        operationId: "getAnswersSchema",
        tags: ["Publishing"],
        summary: "Get the JSON Schema of the answers to a version",
        description:
          "Without envelope. Describes an item of a list or stream of answers, with a variant for each " +
          "element: its id, its type and, under its name (or its key without one), the shape of its value. Values refer " +
          "to entries by id.",
        params: surveyParams,
        querystring: answersSchemaQuery,
        response: { 200: { type: "object", description: "JSON Schema", additionalProperties: true } },
      },
    },
    async (request, reply) => {
      const { surveyId } = request.params;
      const { version: versionNumber = 0 } = request.query;
      const options = rpcOptions(context, request);
      const { schemaJson } = await context.clients.surveys.getAnswersSchema({ surveyId, versionNumber }, options);
      return reply
        .headers({ "content-type": "application/json; charset=utf-8", "cache-control": "private, no-cache" })
        .send(schemaJson);
    },
  );
}
