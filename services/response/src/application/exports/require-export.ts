import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import { exportStatus } from "../../domain/exports/export-status.ts";
import { findExport, type ExportRef, type StoredExport } from "../../storage/exports/exports.ts";

export async function requireExport(sql: Sql, ref: ExportRef): Promise<StoredExport> {
  const found = isId(ref.exportId) ? await findExport(sql, ref) : undefined;
  if (!found) throw new AppError("export_not_found");
  return found;
}

export type FinishedExport = StoredExport & { completedAt: Date; expiresAt: Date; sizeBytes: number };

export function requireFile(stored: StoredExport, now: Date): FinishedExport {
  const status = exportStatus(stored, now);
  if (status === "completed") return stored as FinishedExport;
  const isOver = status !== "queued" && status !== "processing";
  const message = isOver ? `The export has no file: it is ${status}. Request another one.` : undefined;
  throw new AppError("export_not_ready", { status }, message);
}
