import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { mapInSlices } from "@canvass/fairness";
import { mostImportErrors } from "@canvass/inputs";
import {
  CreateImportRequestSchema,
  type PreviewImportRequest,
  type PreviewImportResponseSchema,
} from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../../context.ts";
import { emptyFields } from "../../domain/contacts/contact.ts";
import { applyInput, wholeViolations } from "../../domain/contacts/contact-input.ts";
import { validateRow, type ValidatedRow } from "../../domain/imports/apply-rows.ts";
import { readImport } from "./read-import.ts";

const mostShown = 10;

/** Validates each row on its own, as a new contact. */
export function previewImport(
  { imports }: DistributionContext,
  { import: request = create(CreateImportRequestSchema) }: PreviewImportRequest,
  { caller: { workspaceId }, signal }: Call,
): Promise<MessageInitShape<typeof PreviewImportResponseSchema>> {
  return imports.reads.run(workspaceId, signal, async () => {
    const { rows, settings } = await readImport(request);
    const evaluated = await mapInSlices(rows, (row, index) => validateAsNew(validateRow(index + 1, row, settings)));
    const failed = evaluated.filter(({ violations }) => violations.length > 0);
    const errors = failed.flatMap(({ row, violations }) =>
      violations.map(({ path, message }) => ({ row, column: path, message })),
    );
    return {
      total: rows.length,
      failed: failed.length,
      errors: errors.slice(0, mostImportErrors),
      rows: evaluated.slice(0, mostShown).map(({ row, input, violations }) => ({
        row,
        fieldsJson: violations.length > 0 ? "" : JSON.stringify(applyInput(emptyFields, input)),
      })),
    };
  });
}

function validateAsNew(evaluated: ValidatedRow): ValidatedRow {
  if (evaluated.violations.length > 0) return evaluated;
  return { ...evaluated, violations: wholeViolations(applyInput(emptyFields, evaluated.input)) };
}
