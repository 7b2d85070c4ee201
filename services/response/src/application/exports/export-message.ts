import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ExportSchema, type Export } from "@canvass/proto/exports";
import { exportStatus, percentComplete } from "../../domain/exports/export-status.ts";
import type { StoredExport } from "../../storage/exports/exports.ts";

export function toExportMessage(stored: StoredExport, now: Date): Export {
  const { exportId, surveyId, options, createdAt, completedAt, expiresAt, rowCount, sizeBytes, error, warnings } =
    stored;
  const status = exportStatus(stored, now);
  return create(ExportSchema, {
    exportId,
    surveyId,
    status,
    optionsJson: JSON.stringify(options),
    percentComplete: percentComplete(stored),
    createdAt: timestampFromDate(createdAt),
    ...(completedAt && { completedAt: timestampFromDate(completedAt) }),
    ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
    rowCount: BigInt(rowCount ?? 0),
    sizeBytes: BigInt(sizeBytes ?? 0),
    warnings: warnings.map(({ count, ...warning }) => ({ ...warning, count: BigInt(count) })),
    errorCode: status === "failed" ? (error ?? "internal_error") : "",
  });
}
