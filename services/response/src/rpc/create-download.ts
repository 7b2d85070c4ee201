import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { CreateDownloadRequest, CreateDownloadResponseSchema } from "@canvass/proto/exports";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { signDownload } from "../exports/download-token.ts";
import { requireExport, requireFile } from "../exports/require-export.ts";

/** Signs the name of a finished export's file. Throws `export_not_found` and `export_not_ready`. */
export async function createDownload(
  { database, cursors, now }: ResponseContext,
  { exportId }: CreateDownloadRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof CreateDownloadResponseSchema>> {
  const stored = await requireExport(database.sql, { workspaceId, exportId });
  const { token, expiresAt } = signDownload(cursors, stored, now(), requireFile(stored, now()).expiresAt);
  return { downloadToken: token, expiresAt: timestampFromDate(expiresAt) };
}
