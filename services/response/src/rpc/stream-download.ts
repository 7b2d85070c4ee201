import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { FileNotFound } from "@canvass/file-store";
import type { StreamDownloadRequest, StreamDownloadResponseSchema } from "@canvass/proto/exports";
import type { ResponseContext } from "../context.ts";
import { fileKey } from "../exports/export-work.ts";
import { exportFormats } from "../exports/formats/index.ts";
import { requireDownload } from "../exports/require-export.ts";

/** Sends the file that a download token names, or a range of it. Throws `export_not_found`. */
export async function* streamDownload(
  { database: { sql }, cursors, exports, now }: ResponseContext,
  { downloadToken, range }: StreamDownloadRequest,
): AsyncGenerator<MessageInitShape<typeof StreamDownloadResponseSchema>> {
  const stored = await requireDownload({ sql, cursors }, downloadToken, now());
  if (!exports) throw new AppError("service_unavailable", { part: "file storage" });
  const key = fileKey(stored, stored.revision, exportFormats[stored.options.format].extension);
  const bytes = range && { start: Number(range.start), end: Number(range.end) };
  try {
    for await (const piece of exports.files.read(key, bytes)) yield { piece };
  } catch (error) {
    throw error instanceof FileNotFound ? new AppError("export_not_found") : error;
  }
}
