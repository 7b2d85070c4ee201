import type { Sql } from "@canvass/postgres";
import type { FileRef } from "../../domain/files/uploaded-file.ts";
import type { ExportRef } from "./exports.ts";

export interface LinkRef {
  workspaceId: string;
  linkId: string;
}

export interface LinkCreator {
  personId: string;
  personName: string;
  tokenId: string;
  tokenName: string;
}

export async function insertDownloadLink(
  sql: Sql,
  { workspaceId, linkId }: LinkRef,
  { exportId = "", fileId = "", madeBy, expiresAt }: LinkTarget & { madeBy: LinkCreator; expiresAt: Date },
): Promise<void> {
  await sql.query(
    `INSERT INTO download_links (workspace_id, link_id, export_id, file_id, made_by, expires_at)
     VALUES ($1, $2, $3, $4, $5::jsonb, $6::timestamptz)`,
    [workspaceId, linkId, exportId, fileId, JSON.stringify(madeBy), expiresAt],
  );
}

type LinkTarget = { exportId: string; fileId?: undefined } | { fileId: string; exportId?: undefined };

/** One of the returned ids is empty. */
export async function findDownloadLink(
  sql: Sql,
  { workspaceId, linkId }: LinkRef,
  now: Date,
): Promise<(ExportRef & FileRef) | undefined> {
  const [row] = await sql.query<ExportRef & FileRef>(
    `SELECT workspace_id AS "workspaceId", export_id AS "exportId", file_id AS "fileId" FROM download_links
     WHERE workspace_id = $1 AND link_id = $2 AND expires_at > $3::timestamptz`,
    [workspaceId, linkId, now],
  );
  return row;
}

/** Returns the creator if this use counts as a download: it begins with the first byte, or the link was unused. */
export async function markLinkUsed(
  sql: Sql,
  { workspaceId, linkId }: LinkRef,
  { isFromStart, now }: { isFromStart: boolean; now: Date },
): Promise<LinkCreator | undefined> {
  const [row] = await sql.query<{ madeBy: LinkCreator }>(
    `UPDATE download_links SET used_at = $3::timestamptz
     WHERE workspace_id = $1 AND link_id = $2 AND ($4::boolean OR used_at IS NULL) RETURNING made_by AS "madeBy"`,
    [workspaceId, linkId, now, isFromStart],
  );
  return row?.madeBy;
}
