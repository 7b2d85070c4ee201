import { errorCatalogue, isErrorCode, type ErrorCode } from "@canvass/errors";
import { exportFormats, exportLabels } from "@canvass/inputs";
import type { Export } from "@canvass/proto/exports";
import { Type } from "typebox";
import { dateTime, id, idParam, named, nullable, nullableDateTime, nullableText } from "../schemas.ts";
import { isoTime, isoTimeOrNull } from "../timestamps.ts";

export const exportParams = Type.Object({ exportId: idParam("id of an export") });

const ids = Type.Unsafe<string[] | null>({ type: ["array", "null"], items: id, description: "null: all" });

export const exportSchema = named("Export", {
  id,
  surveyId: id,
  status: Type.String({
    enum: ["queued", "processing", "completed", "failed", "cancelled", "expired"],
    description: "only `completed` has a file",
  }),
  percentComplete: Type.Integer({ minimum: 0, maximum: 100 }),
  format: Type.String({ enum: [...exportFormats] }),
  labels: Type.String({ enum: [...exportLabels] }),
  includePartial: Type.Boolean(),
  includeTest: Type.Boolean(),
  from: nullableDateTime,
  to: nullableDateTime,
  elementIds: ids,
  distributorIds: ids,
  timeZone: Type.String(),
  rows: nullable<number>("integer", { description: "respondents in the file; null before it is there" }),
  size: nullable<number>("integer", { description: "bytes of the file; null before it is there" }),
  createdAt: dateTime,
  completedAt: nullableDateTime,
  expiresAt: { ...nullableText, description: "date-time when the file is deleted" },
  error: Type.Unsafe<{ code: string; message: string } | null>({
    type: ["object", "null"],
    properties: { code: { type: "string" }, message: { type: "string" } },
    required: ["code", "message"],
    description: "why it failed",
  }),
});

export function exportView(message: Export) {
  const { exportId, surveyId, status, percentComplete, completedAt, rowCount, sizeBytes, errorCode } = message;
  const options = JSON.parse(message.optionsJson) as ExportOptions;
  return {
    id: exportId,
    surveyId,
    status,
    percentComplete,
    format: options.format,
    labels: options.labels,
    includePartial: options.includePartial,
    includeTest: options.includeTest,
    from: options.from,
    to: options.to,
    elementIds: options.elementIds,
    distributorIds: options.distributorIds,
    timeZone: options.timeZone,
    rows: completedAt ? Number(rowCount) : null,
    size: completedAt ? Number(sizeBytes) : null,
    createdAt: isoTime(message.createdAt),
    completedAt: isoTimeOrNull(completedAt),
    expiresAt: isoTimeOrNull(message.expiresAt),
    error: errorCode && isErrorCode(errorCode) ? { code: errorCode, message: reasonOf(errorCode) } : null,
  };
}

interface ExportOptions {
  format: string;
  labels: string;
  includePartial: boolean;
  includeTest: boolean;
  from: string | null;
  to: string | null;
  elementIds: string[] | null;
  distributorIds: string[] | null;
  timeZone: string;
}

function reasonOf(code: ErrorCode): string {
  if (code === "service_unavailable") return "The file storage or the database was full or away; request it again.";
  if (code === "validation_failed") return "It would have too many columns; name fewer questions in `elementIds`.";
  return errorCatalogue[code].message;
}
