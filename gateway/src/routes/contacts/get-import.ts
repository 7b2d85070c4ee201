import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { importParams, importSchema, importView } from "./import-view.ts";

export function registerGetImportRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/contacts/imports/:importId",
    {
      config: { scope: "contacts:read", errors: ["import_not_found"] },
      schema: {
        operationId: "getContactImport",
        tags: ["Contacts"],
        summary: "Get an import",
        description: "Available for 30 days.",
        params: importParams,
        response: { 200: envelope("The import and how far it is", importSchema) },
      },
    },
    async (request, reply) => {
      const { import: found } = await context.clients.contacts.getImport(request.params, rpcOptions(context, request));
      return respond(context, reply, { data: importView(requireMessage(found)) });
    },
  );
}
