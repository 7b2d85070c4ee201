import { AppError } from "@canvass/errors";
import type { Event } from "@canvass/proto/events";
import type { Call } from "@canvass/rpc";
import type { CursorCodec, Sql } from "@canvass/postgres";
import { readDownload } from "../exports/download-token.ts";
import { findDownloadLink, type LinkCreator, type LinkRef } from "../../storage/exports/download-links.ts";
import { findFile } from "../../storage/files/answered-files.ts";
import { exportDownload } from "./export-download.ts";
import { fileDownload } from "./file-download.ts";

export interface Download {
  workspaceId: string;
  key: string;
  name: string;
  mediaType: string;
  size: number;
  etag: string;
  audit(call: Call, madeBy: LinkCreator, at: Date): Event;
}

export interface LinkedDownload {
  /** Undefined for tokens that were issued before links were stored: their creator is unknown. */
  link: LinkRef | undefined;
  download: Download;
}

/** Throws the same `export_not_found` for every bad token, and `file_not_found` if an uploaded file was deleted. */
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
