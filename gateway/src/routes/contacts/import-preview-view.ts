import { mostImportErrors, settableContactStatuses } from "@canvass/inputs";
import type { PreviewImportResponse } from "@canvass/proto/distribution-contacts";
import { Type } from "typebox";
import { named, words } from "../schemas.ts";
import { contactAttributes, contactTexts } from "./contact-view.ts";
import { importErrorSchema } from "./import-view.ts";

const count = Type.Integer({ minimum: 0 });

const previewedContact = named("PreviewedContact", {
  ...contactTexts,
  attributes: contactAttributes,
  status: words(settableContactStatuses),
});

export const importPreviewSchema = named("ImportPreview", {
  total: { ...count, description: "rows of the request" },
  failed: { ...count, description: "rows that are invalid by themselves; existing contacts are not considered" },
  errors: Type.Array(importErrorSchema, { description: `the first ${mostImportErrors} violations` }),
  rows: Type.Array(
    named("PreviewedRow", {
      row: Type.Integer(),
      contact: Type.Unsafe<object | null>({ ...previewedContact, type: ["object", "null"] }),
    }),
    { description: "the first ten rows, each as a new contact; null for an invalid row" },
  ),
});

export function importPreviewView({ total, failed, errors, rows }: PreviewImportResponse) {
  return {
    total,
    failed,
    errors: errors.map(({ row, column, message }) => ({ row, column, message })),
    rows: rows.map(({ row, fieldsJson }) => ({
      row,
      contact: fieldsJson === "" ? null : (JSON.parse(fieldsJson) as object),
    })),
  };
}
