import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetDownloadRequest, GetDownloadResponseSchema } from "@canvass/proto/exports";
import type { ResponseContext } from "../context.ts";
import { exportFormats } from "../exports/formats/index.ts";
import { requireDownload } from "../exports/require-export.ts";

/** The file that a download token names. Throws `export_not_found`. */
export async function getDownload(
  { database: { sql }, cursors, now }: ResponseContext,
  { downloadToken }: GetDownloadRequest,
): Promise<MessageInitShape<typeof GetDownloadResponseSchema>> {
  const { stored } = await requireDownload({ sql, cursors }, downloadToken, now());
  const { workspaceId, surveyId, exportId, options, completedAt, sizeBytes } = stored;
  const { extension, mediaType } = exportFormats[options.format];
  const day = completedAt.toISOString().slice(0, 10);
  return {
    fileName: `responses-${surveyId}-${day}.${extension}`,
    mediaType,
    sizeBytes: BigInt(sizeBytes),
    etag: `"${exportId}"`,
    workspaceId,
  };
}
