import { errorCatalogue, isErrorCode } from "@canvass/errors";
import { mostImportErrors } from "@canvass/inputs";
import type { Import, ImportError } from "@canvass/proto/response-imports";
import { Type } from "typebox";
import { dateTime, id, idParam, jobErrorSchema, named, nullableDateTime } from "../../schemas.ts";
import { isoTime, isoTimeOrNull } from "../../../plugins/responses/timestamps.ts";

export const importParams = Type.Object({ importId: idParam("id of an import") });

const count = Type.Integer({ minimum: 0 });

export const failures = {
  failed: { ...count, description: "rows with violations" },
  violations: { ...count, description: "violations of all rows" },
  errors: Type.Array(
    named("ResponseImportError", {
      line: Type.Integer({ description: "line of the file at which the row ends" }),
      column: Type.String({ description: "the heading; empty if it concerns the whole row" }),
      message: Type.String({ description: "what is wrong with it, without its value" }),
    }),
    { description: `the first ${mostImportErrors} violations` },
  ),
};

export const columnsLeftOut = Type.Array(Type.String(), {
  description: "headings of columns that are not imported: versions, links, contacts, files, and unknown ones",
});

export const responseImportSchema = named("ResponseImport", {
  id,
  surveyId: id,
  status: Type.String({ enum: ["queued", "processing", "completed", "failed"] }),
  versionNumber: Type.Integer({ description: "number of the version that the respondents get" }),
  percentComplete: Type.Integer({ minimum: 0, maximum: 100 }),
  total: { ...count, description: "rows of the file" },
  imported: count,
  skipped: { ...count, description: "rows whose external id was imported before" },
  ...failures,
  columnsLeftOut,
  createdAt: dateTime,
  completedAt: nullableDateTime,
  error: jobErrorSchema,
});

export function responseImportView(message: Import) {
  const { importId, surveyId, status, versionNumber, total, imported, skipped, failed, violations } = message;
  const { errors, columnsLeftOut: leftOut, createdAt, completedAt, errorCode } = message;
  const done = imported + skipped + failed;
  return {
    id: importId,
    surveyId,
    status,
    versionNumber,
    percentComplete: Math.min(100, Math.floor((100 * done) / Math.max(total, 1))),
    total,
    imported,
    skipped,
    failed,
    violations,
    errors: errors.map(errorView),
    columnsLeftOut: leftOut,
    createdAt: isoTime(createdAt),
    completedAt: isoTimeOrNull(completedAt),
    error: isErrorCode(errorCode) ? { code: errorCode, message: errorCatalogue[errorCode].message } : null,
  };
}

export const errorView = ({ line, column, message }: ImportError) => ({ line, column, message });
