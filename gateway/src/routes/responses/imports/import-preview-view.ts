import { respondentStatuses } from "@canvass/inputs";
import type { PreviewImportResponse } from "@canvass/proto/response-imports";
import { Type } from "typebox";
import { dateTime, id, named, nullableText, words } from "../../schemas.ts";
import { fieldValues } from "../respondent-view.ts";
import { columnsLeftOut, errorView, failures } from "./import-view.ts";

const object = Type.Unsafe<object>({ type: "object", additionalProperties: true });

const previewedRespondent = named("PreviewedRespondent", {
  status: words(respondentStatuses),
  startedAt: dateTime,
  completedAt: { ...nullableText, description: "date-time; only the day on a survey with full anonymity" },
  language: nullableText,
  externalId: nullableText,
  metadata: object,
  fields: fieldValues,
  answers: Type.Array(
    named("PreviewedAnswer", { elementId: id, itemId: nullableText, name: nullableText, value: Type.Unknown() }),
  ),
});

export const importPreviewSchema = named("ResponseImportPreview", {
  total: Type.Integer({ minimum: 0, description: "rows of the file" }),
  ...failures,
  rows: Type.Array(
    named("PreviewedResponse", {
      line: Type.Integer(),
      respondent: Type.Unsafe<object | null>({ ...previewedRespondent, type: ["object", "null"] }),
    }),
    { description: "the first ten rows; null for a row that has violations or repeats an external id" },
  ),
  columnsLeftOut,
});

export function importPreviewView({
  total,
  failed,
  violations,
  errors,
  rows,
  columnsLeftOut: left,
}: PreviewImportResponse) {
  return {
    total,
    failed,
    violations,
    errors: errors.map(errorView),
    rows: rows.map(({ line, respondentJson }) => ({
      line,
      respondent: respondentJson === "" ? null : (JSON.parse(respondentJson) as object),
    })),
    columnsLeftOut: left,
  };
}
