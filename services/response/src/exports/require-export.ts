import { AppError } from "@canvass/errors";
import { isId } from "@canvass/inputs";
import type { CursorCodec, Sql } from "@canvass/postgres";
import { exportStatus } from "../domain/exports/export-status.ts";
import { findLinkedExport, type LinkRef } from "../storage/exports/download-links.ts";
import { findExport, type ExportRef, type StoredExport } from "../storage/exports/exports.ts";
import { readDownload, readFormerDownload } from "./download-token.ts";

/** Throws `export_not_found`. */
export async function requireExport(sql: Sql, ref: ExportRef): Promise<StoredExport> {
  const found = isId(ref.exportId) ? await findExport(sql, ref) : undefined;
  if (!found) throw new AppError("export_not_found");
  return found;
}

export type FinishedExport = StoredExport & { completedAt: Date; expiresAt: Date; sizeBytes: number };

/** Throws `export_not_ready` for an export without a file. */
export function requireFile(stored: StoredExport, now: Date): FinishedExport {
  const status = exportStatus(stored, now);
  if (status === "completed") return stored as FinishedExport;
  const isOver = status !== "queued" && status !== "processing";
  const message = isOver ? `The export has no file: it is ${status}. Request another one.` : undefined;
  throw new AppError("export_not_ready", { status }, message);
}

export interface LinkedExport {
  /** Absent: the address was made before links were stored, and nobody knows by whom. */
  link: LinkRef | undefined;
  stored: FinishedExport;
}

/** The export that a download token names. A wrong, an expired and a useless token get the same answer: `export_not_found`. */
export async function requireDownload(
  { sql, cursors }: { sql: Sql; cursors: CursorCodec },
  token: string,
  now: Date,
): Promise<LinkedExport> {
  const link = readDownload(cursors, token);
  const ref = link ? await findLinkedExport(sql, link, now) : readFormerDownload(cursors, token, now);
  const found = ref && (await findExport(sql, ref));
  if (found && exportStatus(found, now) === "completed") return { link, stored: found as FinishedExport };
  throw new AppError("export_not_found", {}, "The address of the download was changed, or has expired.");
}
