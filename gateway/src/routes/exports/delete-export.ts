import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { exportParams, exportSchema, exportView } from "./export-view.ts";

export function registerDeleteExportRoute(api: Api, context: GatewayContext): void {
  api.delete(
    "/exports/:exportId",
    {
      config: { scope: "exports:write", idempotent: true, errors: ["export_not_found"] },
      schema: {
        operationId: "deleteExport",
        tags: ["Exports"],
        summary: "Cancel an export or delete its file",
        description:
          "Cancels an unfinished export (`cancelled`), or deletes the file of a finished one (`expired`). Repeating it changes nothing.",
        params: exportParams,
        response: { 200: envelope("The updated export", exportSchema) },
      },
    },
    async (request, reply) => {
      const { exports } = context.clients;
      const { export: deleted } = await exports.deleteExport(request.params, rpcOptions(context, request));
      return respond(context, reply, { data: exportView(requireMessage(deleted)) });
    },
  );
}
