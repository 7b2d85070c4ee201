import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { isId, newId } from "@canvass/values";
import type { CreateFileDownloadRequest, CreateFileDownloadResponseSchema } from "@canvass/proto/files";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { linkLifeMs, signDownloadToken } from "../application/exports/download-token.ts";
import { insertDownloadLink } from "../storage/exports/download-links.ts";
import { findFile } from "../storage/files/answered-files.ts";

/** Test tokens reach files of test respondents only. */
export async function createFileDownload(
  { database: { sql }, cursors, ...context }: ResponseContext,
  { fileId }: CreateFileDownloadRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof CreateFileDownloadResponseSchema>> {
  const { workspaceId, personId, personName, tokenId, tokenName, live } = caller;
  const found = isId(fileId) ? await findFile(sql, { workspaceId, fileId }) : undefined;
  if (!found || (!live && !found.isTest)) throw new AppError("file_not_found");
  const now = context.now();
  const expiresAt = new Date(now.getTime() + linkLifeMs);
  const link = { workspaceId, linkId: newId(now) };
  await insertDownloadLink(sql, link, { fileId, madeBy: { personId, personName, tokenId, tokenName }, expiresAt });
  return { downloadToken: signDownloadToken(cursors, link), expiresAt: timestampFromDate(expiresAt) };
}
