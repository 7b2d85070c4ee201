import { mostImportRows, refuseViolations } from "@canvass/inputs";
import { csvRecords, type CsvFile } from "@canvass/inputs/csv";
import { columnOf, headingViolations, rowOf, valuesWithoutHeading } from "../../domain/imports/heading.ts";
import type { ImportRow, ImportSettings } from "../../domain/imports/import-settings.ts";

/** Parses a CSV file of contacts. The first line contains the headings. */
export async function parseCsv(file: CsvFile, settings: ImportSettings): Promise<ImportRow[]> {
  const rows: ImportRow[] = [];
  let columns: string[] | undefined;
  const nameless = new Set<number>();
  for await (const { cells } of csvRecords(file, mostImportRows)) {
    if (columns) {
      rows.push(rowOf(columns, cells));
      for (const place of valuesWithoutHeading(columns, cells)) nameless.add(place);
    } else refuseViolations(headingViolations((columns = cells.map(columnOf)), settings));
  }
  refuseViolations(
    [...nameless].map((place) => ({ path: "body", message: `must have a heading above column ${place + 1}` })),
  );
  return rows;
}
