import { AppError } from "@canvass/errors";
import { mostImportRows, refuseViolations } from "@canvass/inputs";
import { csvRecords, type CsvFile } from "@canvass/inputs/csv";
import type { ResponseContext } from "../../context.ts";
import { notCollecting, type CollectingState } from "../../domain/collecting.ts";
import { findColumns, headingViolations, type ImportColumn } from "../../domain/imports/import-columns.ts";
import type { FileRow } from "../../domain/imports/imported-rows.ts";
import type { PublishedVersion } from "../../domain/published-version.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { unescapeInLine } from "../exports/formats/escape-formula.ts";

export interface ReadImport {
  collectingState: CollectingState;
  version: PublishedVersion;
  headings: string[];
  columns: ImportColumn[];
  rows: FileRow[];
}

/** Reads a file of answers for the published version of a survey. Its rows are validated later, one at a time. */
export async function readImport(
  { surveys, prepareVersion }: Pick<ResponseContext, "surveys" | "prepareVersion">,
  survey: SurveyRef,
  { file, skipUnknown }: { file: CsvFile; skipUnknown: boolean },
): Promise<ReadImport> {
  const collectingState = await surveys.collectingState(survey);
  if (!collectingState.found) throw new AppError("survey_not_found");
  const { versionId } = collectingState;
  if (versionId === "") throw notCollecting("not_published");
  const version = await prepareVersion({ ...survey, versionId });
  const rows: FileRow[] = [];
  let headings: string[] | undefined;
  let columns: ImportColumn[] = [];
  for await (const { cells: given, line } of csvRecords(file, mostImportRows)) {
    const cells = given.map(unescapeInLine);
    if (headings) rows.push({ line, cells });
    else {
      headings = cells;
      columns = findColumns(headings, version.definition);
      refuseViolations(headingViolations(columns, skipUnknown));
    }
  }
  return { collectingState, version, headings: headings!, columns, rows };
}
