import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { answer } from "../../plugins/answers/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { closed, cursorList, cursorParam, limitParam } from "../schemas.ts";
import { surveySchema, surveyView } from "./survey-view.ts";

const query = closed({
  limit: limitParam,
  cursor: cursorParam,
  active: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1, description: "1: only surveys that collect, 0: only those that do not" }),
  ),
  q: Type.Optional(Type.String({ maxLength: 200, description: "part of the name" })),
  sort: Type.Enum(["createdAt", "-createdAt", "updatedAt", "-updatedAt", "name", "-name"], {
    default: "-createdAt",
    description: "a leading minus sorts descending",
  }),
  includeTotal: Type.Boolean({ default: false, description: "give `total` too" }),
});

export function listSurveys(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys",
    {
      config: { scope: "surveys:read" },
      schema: {
        operationId: "listSurveys",
        tags: ["Surveys"],
        summary: "List surveys",
        querystring: query,
        response: { 200: cursorList("A page of surveys", surveySchema) },
      },
    },
    async (request, reply) => {
      const { limit, cursor = "", active, q = "", sort, includeTotal } = request.query;
      const page = await context.clients.surveys.listSurveys(
        { limit, cursor, query: q, sort, includeTotal, ...(active !== undefined && { active: active === 1 }) },
        rpcOptions(context, request),
      );
      return answer(context, reply, {
        data: page.surveys.map(surveyView),
        pagination: {
          cursor_next: page.nextCursor || null,
          hasMore: page.hasMore,
          ...(page.total !== undefined && { total: Number(page.total) }),
        },
      });
    },
  );
}
