import { numberedQuery } from "@canvass/inputs";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { answer, RenderedData } from "../../plugins/answers/envelope.ts";
import type { Api } from "../api.ts";
import { numberedEnd, pageList } from "../pages.ts";
import { dateTime, id, named, nullableText } from "../schemas.ts";
import { surveyParams } from "./survey-input.ts";

const elementSchema = named("Element", {
  id,
  surveyId: id,
  pageId: id,
  type: Type.Integer({ description: "number of the question type" }),
  typeName: Type.String({ examples: ["rating"] }),
  questionId: Type.String({ description: "stays the same for life, over all versions" }),
  sortOrder: Type.Integer({ description: "place on its page" }),
  questionText: nullableText,
  helpText: nullableText,
  createdAt: dateTime,
  updatedAt: dateTime,
});

/** Hot: lists of one turn share one call to the survey service, which renders them. */
export function registerListElementsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/elements",
    {
      config: { scope: "surveys:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "listElements",
        tags: ["Surveys"],
        summary: "List a survey's questions",
        params: surveyParams,
        querystring: numberedQuery,
        response: { 200: pageList("A page of the survey's elements in their order", elementSchema) },
      },
    },
    async (request, reply) => {
      const { limit, page } = request.query;
      const { surveyId } = request.params;
      const { signedCaller, caller } = request.identity!;
      const { elementsJson, total } = await context.listElements({
        workspaceId: caller.workspaceId,
        caller: signedCaller,
        surveyId,
        limit,
        page,
        requestId: request.id,
      });
      return answer(context, reply, {
        data: new RenderedData(elementsJson),
        pagination: numberedEnd({ page, limit }, total),
      });
    },
  );
}
