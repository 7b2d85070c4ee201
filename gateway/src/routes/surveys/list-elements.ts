import type { Element } from "@canvass/proto/survey";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { answer } from "../../plugins/envelope.ts";
import { rpcOptions } from "../../rpc-options.ts";
import type { Api } from "../api.ts";
import { closed, dateTime, id, limitParam, named, nullableText, pageList } from "../schemas.ts";
import { isoTime } from "../timestamps.ts";
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

const query = closed({ limit: limitParam, page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }) });

export function listElements(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/elements",
    {
      config: { scope: "surveys:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "listElements",
        tags: ["Surveys"],
        summary: "List a survey's questions",
        params: surveyParams,
        querystring: query,
        response: { 200: pageList("A page of the survey's elements in their order", elementSchema) },
      },
    },
    async (request, reply) => {
      const { limit, page } = request.query;
      const { surveyId } = request.params;
      const { elements, total } = await context.services.surveys.listElements(
        { surveyId, limit, page },
        rpcOptions(context, request),
      );
      const totalPages = Math.ceil(total / limit);
      return answer(context, reply, {
        data: elements.map(elementView),
        pagination: { total, page, limit, totalPages, hasMore: page < totalPages },
      });
    },
  );
}

function elementView(element: Element) {
  const { elementId, surveyId, pageId, type, typeName, questionId, sortOrder, createdAt, updatedAt } = element;
  return {
    id: elementId,
    surveyId,
    pageId,
    type,
    typeName,
    questionId,
    sortOrder,
    questionText: element.questionText ?? null,
    helpText: element.helpText ?? null,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
