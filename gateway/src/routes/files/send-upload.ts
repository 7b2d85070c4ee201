import type { UploadFileResponse } from "@canvass/proto/files";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FileUploadSchema, UploadFileRequestSchema } from "@canvass/proto/files";
import type { FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Upload } from "../../plugins/body/read-upload.ts";
import { markUploading } from "../../plugins/body/uploads.ts";

type UploadTarget = Pick<MessageInitShape<typeof FileUploadSchema>, "by" | "surveyId" | "elementId" | "respondentId">;

/** Streams a file as it arrives, as fast as the service reads it. */
export async function sendUpload(
  context: GatewayContext,
  request: FastifyRequest,
  upload: Upload,
  target: UploadTarget,
): Promise<UploadFileResponse> {
  using _ = markUploading(request.raw.socket);
  const first = {
    ...target,
    name: upload.name,
    // The body contains the file, so its length is an upper bound.
    mostBytes: BigInt(request.headers["content-length"] ?? 0),
    ...(request.idempotency && { idempotency: request.idempotency }),
  };
  const answer = await context.clients.files.uploadFile(partsOf(first, upload), rpcOptions(context, request));
  request.replay = answer.replay ?? null;
  return answer;
}

async function* partsOf(
  first: MessageInitShape<typeof FileUploadSchema>,
  { chunks }: Upload,
): AsyncGenerator<MessageInitShape<typeof UploadFileRequestSchema>> {
  yield { part: { case: "upload", value: first } };
  let sent = 0;
  for await (const chunk of chunks) {
    sent += chunk.length;
    yield { part: { case: "piece", value: chunk } };
  }
  yield { part: { case: "whole", value: BigInt(sent) } };
}
