import { AppError } from "@canvass/errors";
import type { Event } from "@canvass/proto/events";
import type { Call } from "@canvass/rpc";
import type { CursorCodec, Sql } from "@canvass/postgres";
import { readDownloadToken, readFormerDownloadToken } from "../exports/download-token.ts";
import { findDownloadLink, type LinkCreator, type LinkRef } from "../../storage/exports/download-links.ts";
import { findFile } from "../../storage/files/answered-files.ts";
import { exportStatus } from "../../domain/exports/export-status.ts";
import { downloadAudit } from "../exports/audit-export.ts";
import { fileKey } from "../exports/export-work.ts";
import { exportFormats } from "../exports/formats/index.ts";
import type { FinishedExport } from "../exports/require-export.ts";
import { findExport, type ExportRef } from "../../storage/exports/exports.ts";
import { create } from "@bufbuild/protobuf";
import { auditEvent } from "@canvass/events";
import { CallerSchema } from "@canvass/proto/access";
import type { UploadedFile } from "../../domain/files/uploaded-file.ts";
import { contentKey } from "../files/files.ts";

export interface Download {
  workspaceId: string;
  key: string;
  name: string;
  mediaType: string;
  size: number;
  etag: string;
  /** The error if the content is gone. */
  absent: "export_not_found" | "file_not_found";
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
  const link = readDownloadToken(cursors, token);
  const linked = link && (await findDownloadLink(sql, link, now));
  if (!linked?.fileId) return { link, download: await exportDownload({ sql, cursors }, { token, linked, link }, now) };
  const file = await findFile(sql, linked);
  if (!file) throw new AppError("file_not_found");
  return { link, download: fileDownload(file) };
}

/** Tokens that were issued before links were stored name the export themselves. Throws `export_not_found`. */
async function exportDownload(
  { sql, cursors }: { sql: Sql; cursors: CursorCodec },
  { token, link, linked }: { token: string; link: LinkRef | undefined; linked: ExportRef | undefined },
  now: Date,
): Promise<Download> {
  const ref = link ? linked : readFormerDownloadToken(cursors, token, now);
  const found = ref && (await findExport(sql, ref));
  if (found && exportStatus(found, now) === "completed") return toDownload(found as FinishedExport);
  throw new AppError("export_not_found", {}, "The address of the download was changed, or has expired.");
}

function toDownload(stored: FinishedExport): Download {
  const { workspaceId, surveyId, exportId, options, completedAt, sizeBytes, revision } = stored;
  const { extension, mediaType } = exportFormats[options.format];
  const day = completedAt.toISOString().slice(0, 10);
  return {
    workspaceId,
    key: fileKey(stored, revision, extension),
    name: `responses-${surveyId}-${day}.${extension}`,
    mediaType,
    size: sizeBytes,
    etag: `"${exportId}"`,
    absent: "export_not_found",
    audit: (call, madeBy, at) => downloadAudit(call, stored, madeBy, at),
  };
}

/** A generic type, so that browsers never render uploads at this service's address. */
const mediaType = "application/octet-stream";

function fileDownload(file: UploadedFile): Download {
  const { workspaceId, fileId, surveyId, name, size } = file;
  return {
    workspaceId,
    key: contentKey(file),
    name,
    mediaType,
    size,
    etag: `"${fileId}"`,
    absent: "file_not_found",
    audit: ({ clientAddress, requestId }, madeBy, at) =>
      auditEvent(
        { caller: create(CallerSchema, { workspaceId, ...madeBy }), clientAddress, requestId },
        { source: "response", at, action: "file.downloaded", resourceId: fileId, after: { surveyId } },
      ),
  };
}
