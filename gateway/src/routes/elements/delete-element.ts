import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope, id, named } from "../schemas.ts";
import { elementWrite } from "./edit-element.ts";
import { elementParams } from "./element-input.ts";

const deletedSchema = named("DeletedElement", {
  elementId: id,
  retired: Type.Boolean({ description: "it was answered: results keep it" }),
  responses: Type.Integer({ description: "respondents who answered it, tests left out" }),
});

const description = `It leaves the draft, and rules of skip logic that ask it go with it; a page that repeats for what is chosen in it is in the
way (422). A published survey collects it until it is published again. Answered, it is retired: it and its answers stay in results, and
every later request by its id is 404 \`element_retired\`. Otherwise its id is as one that never was.`;

export function registerDeleteElementRoute(api: Api, context: GatewayContext): void {
  api.delete(
    "/elements/:elementId",
    {
      config: elementWrite,
      schema: {
        operationId: "deleteElement",
        tags: ["Elements"],
        summary: "Take a question out of its survey",
        description,
        params: elementParams,
        response: { 200: envelope("What became of it", deletedSchema) },
      },
    },
    async (request, reply) => {
      const { elementId } = request.params;
      const { retired, responses } = await context.clients.surveys.deleteElement(
        { elementId, ifMatch: ifMatchOf(request) },
        rpcOptions(context, request),
      );
      return respond(context, reply, { data: { elementId, retired, responses: Number(responses) } });
    },
  );
}
