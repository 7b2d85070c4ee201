import type { StreamDownloadResponse } from "@canvass/proto/exports";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respondWithFile, fileResponse } from "../../plugins/responses/file.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";

const params = Type.Object({ downloadToken: Type.String({ description: "the signed name of the file" }) });

export function registerDownloadFileRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/downloads/:downloadToken",
    {
      config: {
        scope: "public",
        limit: "documents",
        etag: true,
        ifMatch: "optional",
        errors: ["export_not_found", "file_not_found", "range_not_satisfiable"],
      },
      schema: {
        operationId: "downloadExportFile",
        tags: ["Exports"],
        summary: "Download an export's or an uploaded file",
        description:
          "Downloads a file by the URL from `GET /exports/{exportId}/download` or `GET /files/{fileId}/download`; no token is needed. `Range` resumes an interrupted download. `Content-Type` is that of the export's format; uploaded files are sent as attachments, without their media type.",
        params,
        response: fileResponse("The file", "*/*"),
      },
    },
    async (request, reply) => {
      const { exports } = context.clients;
      const { downloadToken } = request.params;
      const file = await exports.getDownload({ downloadToken }, rpcOptions(context, request));
      return respondWithFile(context, reply, {
        mediaType: file.mediaType,
        name: file.fileName,
        size: Number(file.sizeBytes),
        etag: file.etag,
        ownerId: file.workspaceId,
        open: (options, range) => {
          const bytes = range && { start: BigInt(range.start), end: BigInt(range.end) };
          return chunksOf(exports.streamDownload({ downloadToken, ...(bytes && { range: bytes }) }, options));
        },
      });
    },
  );
}

async function* chunksOf(answers: AsyncIterable<StreamDownloadResponse>): AsyncGenerator<Uint8Array> {
  for await (const { piece: chunk } of answers) yield chunk;
}
