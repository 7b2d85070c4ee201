import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import { apiUrl } from "../../plugins/openapi/openapi.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { downloadSchema } from "./download-schema.ts";
import { exportParams } from "./export-view.ts";

export function registerCreateDownloadRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/exports/:exportId/download",
    {
      config: { scope: "exports:write", errors: ["export_not_found", "export_not_ready"] },
      schema: {
        operationId: "getExportDownload",
        tags: ["Exports"],
        summary: "Create a download URL for an export",
        description: "Returns a signed URL, valid for 15 minutes. Each call makes a new one.",
        params: exportParams,
        response: { 200: envelope("Where the file is downloaded", downloadSchema) },
      },
    },
    async (request, reply) => {
      const { exports } = context.clients;
      const { downloadToken, expiresAt } = await exports.createDownload(request.params, rpcOptions(context, request));
      const url = `${apiUrl(context.config)}/downloads/${downloadToken}`;
      return respond(context, reply, { data: { url, expires_at: isoTime(expiresAt) } });
    },
  );
}
