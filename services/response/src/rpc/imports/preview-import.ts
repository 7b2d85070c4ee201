import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { createYielder, runWithYielder } from "@canvass/fairness";
import { mostImportErrors } from "@canvass/inputs";
import {
  CreateImportRequestSchema,
  type PreviewImportRequest,
  type PreviewImportResponseSchema,
} from "@canvass/proto/response-imports";
import type { Call } from "@canvass/rpc";
import { readImport } from "../../application/imports/read-import.ts";
import type { ResponseContext } from "../../context.ts";
import { applyRows, readFileRow } from "../../domain/imports/apply-rows.ts";
import { leftOutHeadings } from "../../domain/imports/import-columns.ts";
import { shownRow } from "../../domain/imports/shown-row.ts";
import { BatchChanges } from "../../domain/submissions/batch-changes.ts";

const mostShown = 10;
/** Rows whose changes are in memory at once. */
const rowsAtOnce = 100;

/** Validates the rows. Does not look for those that an earlier import has stored. */
export function previewImport(
  context: ResponseContext,
  { import: asked = create(CreateImportRequestSchema) }: PreviewImportRequest,
  { caller: { workspaceId, live, timeZone }, signal }: Call,
): Promise<MessageInitShape<typeof PreviewImportResponseSchema>> {
  const { surveyId, csv: bytes, charset, skipUnknown } = asked;
  const survey = { workspaceId, surveyId };
  return context.imports.reads.run(workspaceId, signal, async () => {
    const read = await readImport(context, survey, { file: { bytes, charset }, skipUnknown });
    const { version, columns, collectingState, rows } = read;
    const { settings } = collectingState;
    const target = { ...survey, version, settings, isTest: !live, timeZone, at: context.now() };
    const yieldIfDue = createYielder();
    const known = new Set<string>();
    const preview = { failed: 0, violations: 0, errors: [] as { line: number; column: string; message: string }[] };
    const shown = [];
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const some = rows.slice(from, from + rowsAtOnce).map((row) => readFileRow(row, columns, target));
      const applying = applyRows(some, columns, { target, known }, new BatchChanges());
      const { counts, errors, respondents } = await runWithYielder(yieldIfDue, applying);
      preview.failed += counts.failed;
      preview.violations += counts.violations;
      preview.errors.push(...errors.slice(0, mostImportErrors - preview.errors.length));
      for (const { line } of some.slice(0, mostShown - shown.length)) {
        const respondent = respondents.get(line);
        const respondentJson = respondent ? JSON.stringify(shownRow(respondent, version.definition)) : "";
        shown.push({ line, respondentJson });
      }
    }
    return { total: rows.length, ...preview, rows: shown, columnsLeftOut: leftOutHeadings(columns) };
  });
}
