import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@canvass/values";
import type { CreateDownloadRequest, CreateDownloadResponseSchema } from "@canvass/proto/exports";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { linkExpiry, signDownloadToken } from "../application/exports/download-token.ts";
import { requireContactAccess } from "../application/exports/require-contact-access.ts";
import { requireExport, requireFile } from "../application/exports/require-export.ts";
import { insertDownloadLink } from "../storage/exports/download-links.ts";

export async function createDownload(
  { database: { sql }, cursors, ...context }: ResponseContext,
  { exportId }: CreateDownloadRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof CreateDownloadResponseSchema>> {
  const { workspaceId, personId, personName, tokenId, tokenName } = caller;
  const now = context.now();
  const stored = await requireExport(sql, { workspaceId, exportId });
  requireContactAccess(stored.options, caller);
  const expiresAt = linkExpiry(now, requireFile(stored, now).expiresAt);
  const link = { workspaceId, linkId: newId(now) };
  await insertDownloadLink(sql, link, { exportId, madeBy: { personId, personName, tokenId, tokenName }, expiresAt });
  return { downloadToken: signDownloadToken(cursors, link), expiresAt: timestampFromDate(expiresAt) };
}
