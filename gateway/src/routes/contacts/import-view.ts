import { errorCatalogue, isErrorCode } from "@canvass/errors";
import { importKeys, importModes, mostImportErrors } from "@canvass/inputs";
import type { Import } from "@canvass/proto/distribution-contacts";
import { Type } from "typebox";
import { dateTime, id, idParam, named, nullableDateTime, jobErrorSchema } from "../schemas.ts";
import { isoTime, isoTimeOrNull } from "../../plugins/responses/timestamps.ts";

export const importParams = Type.Object({ importId: idParam("id of an import") });

const count = Type.Integer({ minimum: 0 });

export const importErrorSchema = named("ImportError", {
  row: Type.Integer({ description: "1 is the first row; in a file, the one after the headings" }),
  column: Type.String({ description: "the field, or `attributes.<name>`" }),
  message: Type.String({ description: "what is wrong with it, without its value" }),
});

export const importSchema = named("ContactImport", {
  id,
  status: Type.String({ enum: ["queued", "processing", "completed", "failed"] }),
  mode: Type.String({ enum: [...importModes] }),
  matchOn: Type.String({ enum: [...importKeys] }),
  percentComplete: Type.Integer({ minimum: 0, maximum: 100 }),
  total: { ...count, description: "rows of the request" },
  created: count,
  updated: count,
  skipped: { ...count, description: "rows that changed nothing, or, with `create`, whose contact existed" },
  failed: { ...count, description: "invalid rows" },
  errors: Type.Array(importErrorSchema, { description: `the first ${mostImportErrors} violations` }),
  createdAt: dateTime,
  completedAt: nullableDateTime,
  error: jobErrorSchema,
});

export function importView(message: Import) {
  const { importId, status, mode, matchOn, total, created, updated, skipped, failed, errors, errorCode } = message;
  const done = created + updated + skipped + failed;
  return {
    id: importId,
    status,
    mode,
    matchOn,
    percentComplete: Math.min(100, Math.floor((100 * done) / Math.max(total, 1))),
    total,
    created,
    updated,
    skipped,
    failed,
    errors: errors.map(({ row, column, message: text }) => ({ row, column, message: text })),
    createdAt: isoTime(message.createdAt),
    completedAt: isoTimeOrNull(message.completedAt),
    error: isErrorCode(errorCode) ? { code: errorCode, message: errorCatalogue[errorCode].message } : null,
  };
}
