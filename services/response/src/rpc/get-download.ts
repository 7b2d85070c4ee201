import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetDownloadRequest, GetDownloadResponseSchema } from "@canvass/proto/exports";
import type { ResponseContext } from "../context.ts";
import { findDownload } from "../application/downloads/find-download.ts";

export async function getDownload(
  { database: { sql }, cursors, now }: ResponseContext,
  { downloadToken }: GetDownloadRequest,
): Promise<MessageInitShape<typeof GetDownloadResponseSchema>> {
  const { download } = await findDownload({ sql, cursors }, downloadToken, now());
  const { name, mediaType, size, etag, workspaceId } = download;
  return { fileName: name, mediaType, sizeBytes: BigInt(size), etag, workspaceId };
}
