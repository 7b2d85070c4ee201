import type { CursorCodec, Sql } from "@canvass/postgres";
import { AppError } from "@canvass/errors";
import { exportStatus } from "../../domain/exports/export-status.ts";
import { downloadAudit } from "../exports/audit-export.ts";
import { readFormerDownload } from "../exports/download-token.ts";
import { fileKey } from "../exports/export-work.ts";
import { exportFormats } from "../exports/formats/index.ts";
import type { FinishedExport } from "../exports/require-export.ts";
import type { LinkRef } from "../../storage/exports/download-links.ts";
import { findExport, type ExportRef } from "../../storage/exports/exports.ts";
import type { Download } from "./find-download.ts";

/** Tokens that were issued before links were stored name the export themselves. Throws `export_not_found`. */
export async function exportDownload(
  { sql, cursors }: { sql: Sql; cursors: CursorCodec },
  { token, link, linked }: { token: string; link: LinkRef | undefined; linked: ExportRef | undefined },
  now: Date,
): Promise<Download> {
  const ref = link ? linked : readFormerDownload(cursors, token, now);
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
    audit: (call, madeBy, at) => downloadAudit(call, stored, madeBy, at),
  };
}
