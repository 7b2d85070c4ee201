import { AppError } from "@canvass/errors";
import type { Event } from "@canvass/proto/events";
import type { Call } from "@canvass/rpc";
import type { CursorCodec, Sql } from "@canvass/postgres";
import { readDownload } from "../exports/download-token.ts";
import { findDownloadLink, type LinkMaker, type LinkRef } from "../../storage/exports/download-links.ts";
import { findFile } from "../../storage/files/answered-files.ts";
import { exportDownload } from "./export-download.ts";
import { fileDownload } from "./file-download.ts";

/** A file that can be downloaded now. */
export interface Download {
  workspaceId: string;
  /** In the file store. */
  key: string;
  name: string;
  mediaType: string;
  size: number;
  /** Strong, with its quotes. */
  etag: string;
  /** The audit entry of its download. */
  audit(call: Call, madeBy: LinkMaker, at: Date): Event;
}

export interface LinkedDownload {
  /** Absent: the address was made before links were stored, and nobody knows by whom. */
  link: LinkRef | undefined;
  download: Download;
}

/**
 * The file that a download token names, of an export or uploaded. A wrong, an expired and a useless token get the same answer:
 * `export_not_found`, or `file_not_found` for an uploaded file that was deleted.
 */
export async function findDownload(
  { sql, cursors }: { sql: Sql; cursors: CursorCodec },
  token: string,
  now: Date,
): Promise<LinkedDownload> {
  const link = readDownload(cursors, token);
  const linked = link && (await findDownloadLink(sql, link, now));
  if (!linked?.fileId) return { link, download: await exportDownload({ sql, cursors }, { token, linked, link }, now) };
  const file = await findFile(sql, linked);
  if (!file) throw new AppError("file_not_found");
  return { link, download: fileDownload(file) };
}
