import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import { apiUrl } from "../../plugins/openapi/openapi.ts";
import type { Api } from "../api.ts";
import { downloadSchema } from "../exports/download-schema.ts";
import { envelope, idParam } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";

const params = Type.Object({ fileId: idParam("`fileId` of an answer or an upload") });

export function registerCreateFileDownloadRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/files/:fileId/download",
    {
      config: { scope: "responses:read", errors: ["file_not_found"] },
      schema: {
        operationId: "getFileDownload",
        tags: ["Responses"],
        summary: "Create a download URL for an uploaded file",
        description:
          "Returns a signed URL, valid for 15 minutes. Each call makes a new one. The file was sent by a respondent and was not checked for viruses; it is always sent as an attachment.",
        params,
        response: { 200: envelope("Where the file is downloaded", downloadSchema) },
      },
    },
    async (request, reply) => {
      const { files } = context.clients;
      const { downloadToken, expiresAt } = await files.createFileDownload(request.params, rpcOptions(context, request));
      const url = `${apiUrl(context.config)}/downloads/${downloadToken}`;
      return respond(context, reply, { data: { url, expires_at: isoTime(expiresAt) } });
    },
  );
}
