import { errorCatalogue, isErrorCode, type ErrorCode } from "@canvass/errors";
import { exportFormats, exportHeadings, exportLabels } from "@canvass/inputs";
import type { Export, ExportWarning } from "@canvass/proto/exports";
import type { Condition } from "@canvass/questions";
import { Type } from "typebox";
import {
  dateTime,
  id,
  idParam,
  named,
  nullable,
  nullableDateTime,
  nullableText,
  words,
  jobErrorSchema,
} from "../schemas.ts";
import { conditionOrNull } from "../condition-schemas.ts";
import { isoTime, isoTimeOrNull } from "../../plugins/responses/timestamps.ts";

export const exportParams = Type.Object({ exportId: idParam("id of an export") });

const ids = Type.Unsafe<string[] | null>({ type: ["array", "null"], items: id, description: "null: all" });

const names = Type.Unsafe<string[] | null>({
  type: ["array", "null"],
  items: { type: "string" },
  description: "null: none",
});

const warningSchema = named("ExportWarning", {
  code: words(["texts_cut", "blanks_dropped", "labels_cut"]),
  message: Type.String(),
  columnId: { ...nullableText, description: "the column's id, as headings with `labels: ids` show it; null: several" },
  count: Type.Integer({ description: "cells or labels" }),
});

export const exportSchema = named("ExportJob", {
  id,
  surveyId: id,
  status: Type.String({
    enum: ["queued", "processing", "completed", "failed", "cancelled", "expired"],
    description: "only `completed` has a file",
  }),
  percentComplete: Type.Integer({ minimum: 0, maximum: 100 }),
  format: Type.String({ enum: [...exportFormats] }),
  labels: Type.String({ enum: [...exportLabels] }),
  headings: Type.String({ enum: [...exportHeadings] }),
  language: { ...nullableText, description: "language of texts; null: the survey's own" },
  bom: Type.Boolean(),
  escapeFormulas: Type.Boolean(),
  includePartial: Type.Boolean(),
  includeTest: Type.Boolean(),
  includeOffPath: Type.Boolean(),
  includeOrder: Type.Boolean(),
  from: nullableDateTime,
  to: nullableDateTime,
  elementIds: ids,
  distributorIds: ids,
  versionNumber: nullable<number>("integer", { description: "null: all" }),
  where: conditionOrNull,
  fields: { ...names, description: "null: all" },
  contactFields: names,
  timeZone: Type.String(),
  rows: nullable<number>("integer", { description: "respondents in the file; null until it exists" }),
  size: nullable<number>("integer", { description: "size of the file in bytes; null until it exists" }),
  warnings: Type.Array(warningSchema, {
    description: "values that the file does not hold exactly: the first hundred columns, then the others in one entry",
  }),
  createdAt: dateTime,
  completedAt: nullableDateTime,
  expiresAt: { ...nullableText, description: "date-time when the file is deleted" },
  error: jobErrorSchema,
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
    headings: options.headings ?? "texts",
    language: options.language ?? null,
    bom: options.bom ?? false,
    escapeFormulas: options.escapeFormulas ?? true,
    includePartial: options.includePartial,
    includeTest: options.includeTest,
    includeOffPath: options.includeOffPath ?? false,
    includeOrder: options.includeOrder ?? false,
    from: options.from,
    to: options.to,
    elementIds: options.elementIds,
    distributorIds: options.distributorIds,
    versionNumber: options.versionNumber ?? null,
    where: options.where ?? null,
    fields: options.fields ?? null,
    contactFields: options.contactFields ?? null,
    timeZone: options.timeZone,
    rows: completedAt ? Number(rowCount) : null,
    size: completedAt ? Number(sizeBytes) : null,
    warnings: message.warnings.map((warning) => warningView(warning, options.format)),
    createdAt: isoTime(message.createdAt),
    completedAt: isoTimeOrNull(completedAt),
    expiresAt: isoTimeOrNull(message.expiresAt),
    error: errorCode && isErrorCode(errorCode) ? { code: errorCode, message: reasonOf(errorCode) } : null,
  };
}

function warningView({ code, columnId, count, kept }: ExportWarning, format: string) {
  const unit = format === "xlsx" ? "characters" : "bytes";
  const messages: Record<string, string> = {
    texts_cut: `Texts were cut to ${kept} ${unit}; csv, json, ndjson and parquet hold them whole.`,
    blanks_dropped: "Texts lost the blanks at their end, which this format does not hold.",
    labels_cut: "Labels were cut: this format holds 255 bytes of a question and 120 of a choice.",
  };
  return { code, message: messages[code] ?? code, columnId: columnId || null, count: Number(count) };
}

interface ExportOptions {
  format: string;
  labels: string;
  headings?: string;
  language?: string;
  bom?: boolean;
  escapeFormulas?: boolean;
  includePartial: boolean;
  includeTest: boolean;
  includeOffPath?: boolean;
  includeOrder?: boolean;
  from: string | null;
  to: string | null;
  elementIds: string[] | null;
  distributorIds: string[] | null;
  versionNumber?: number | null;
  where?: Condition | null;
  fields?: string[] | null;
  contactFields?: string[] | null;
  timeZone: string;
}

function reasonOf(code: ErrorCode): string {
  if (code === "service_unavailable")
    return "The file storage or the database was full or away, or contacts could not be read; request it again.";
  if (code === "quota_exceeded") {
    return "Its file would be larger than the plan has room for; name fewer questions or a shorter time, or delete other exports.";
  }
  if (code === "validation_failed") return "It would have too many columns; name fewer questions in `elementIds`.";
  return errorCatalogue[code].message;
}
