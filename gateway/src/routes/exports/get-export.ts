import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { exportParams, exportSchema, exportView } from "./export-view.ts";

export function registerGetExportRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/exports/:exportId",
    {
      config: { scope: "exports:write", errors: ["export_not_found"] },
      schema: {
        operationId: "getExport",
        tags: ["Exports"],
        summary: "Get an export",
        description: "Available for 30 days after the file of the export was deleted.",
        params: exportParams,
        response: { 200: envelope("The export with its progress", exportSchema) },
      },
    },
    async (request, reply) => {
      const { export: found } = await context.clients.exports.getExport(request.params, rpcOptions(context, request));
      return respond(context, reply, { data: exportView(requireMessage(found)) });
    },
  );
}
