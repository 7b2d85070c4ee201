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
  retired: Type.Boolean({ description: "it was answered, so results keep it" }),
  responses: Type.Integer({ description: "respondents who answered it, without tests" }),
});

const description = `Removes the question from the draft, with the skip logic that depends on it. Refused with 422 if a page repeats for its choices. A
published survey keeps asking it until the next publication. If it was answered, it is retired: its answers stay in results, and later
requests by its id get 404 \`element_retired\`. Otherwise they get 403 \`element_not_found\`.`;

export function registerDeleteElementRoute(api: Api, context: GatewayContext): void {
  api.delete(
    "/elements/:elementId",
    {
      config: elementWrite,
      schema: {
        operationId: "deleteElement",
        tags: ["Elements"],
        summary: "Remove a question from its survey",
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
