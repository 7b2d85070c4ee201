import type { GatewayContext } from "../../../context.ts";
import { rpcOptions } from "../../../clients/rpc-options.ts";
import { respond } from "../../../plugins/responses/envelope.ts";
import type { Api } from "../../api.ts";
import { requireMessage } from "../../require-message.ts";
import { envelope } from "../../schemas.ts";
import { importParams, responseImportSchema, responseImportView } from "./import-view.ts";

export function registerGetResponseImportRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/response/imports/:importId",
    {
      config: { scope: "responses:read", errors: ["import_not_found"] },
      schema: {
        operationId: "getResponseImport",
        tags: ["Responses"],
        summary: "Get an import of answers",
        description: "Available for 30 days.",
        params: importParams,
        response: { 200: envelope("The import and how far it is", responseImportSchema) },
      },
    },
    async (request, reply) => {
      const options = rpcOptions(context, request);
      const { import: found } = await context.clients.responseImports.getImport(request.params, options);
      return respond(context, reply, { data: responseImportView(requireMessage(found)) });
    },
  );
}
