import {
  createImportBody,
  importSettings,
  readObject,
  refuseViolations,
  shapeViolations,
  type Violation,
  mostImportRows,
} from "@canvass/inputs";
import { isJsonObject, ownValue, unstorableMessages } from "@canvass/values";
import type { CreateImportRequest } from "@canvass/proto/distribution-contacts";
import type { ImportRow, ImportSettings } from "../../domain/imports/import-settings.ts";
import { csvRecords, type CsvFile } from "@canvass/inputs/csv";
import { columnOf, headingViolations, placesWithoutHeading, rowOf } from "../../domain/imports/heading.ts";

export interface ReadImport {
  rows: ImportRow[];
  settings: ImportSettings;
}

/** The fields of the rows are validated later, one row at a time. */
export async function readImport({ source, mode, matchOn, charset }: CreateImportRequest): Promise<ReadImport> {
  const asked = { mode: mode || "upsert", matchOn: matchOn || "email" };
  if (source.case !== "csv") {
    const body = readObject(source.value ?? "{}");
    return readRows({ ...asked, ...body }, contradictions({ mode, matchOn }, body));
  }
  refuseViolations(shapeViolations(importSettings, asked));
  const settings = asked as ImportSettings;
  return { rows: await parseCsv({ bytes: source.value, charset }, settings), settings };
}

function rowViolations({ rows }: { rows?: unknown }): Violation[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row, index) => {
    if (!isJsonObject(row)) return [{ path: `rows.${index}`, message: "must be an object" }];
    return unstorableMessages(row).map((message) => ({ path: `rows.${index}`, message }));
  });
}

const contradictions = (query: Record<string, string>, body: object): Violation[] =>
  Object.entries(query).flatMap(([path, value]) => {
    const given = ownValue(body as Record<string, unknown>, path);
    return value === "" || given === undefined || given === value
      ? []
      : [{ path, message: "differs from that of the query" }];
  });

function readRows(body: object, violations: readonly Violation[]): ReadImport {
  refuseViolations([...shapeViolations(createImportBody, body), ...rowViolations(body), ...violations]);
  const { rows, mode, matchOn } = body as ImportSettings & { rows: ImportRow[] };
  return { rows, settings: { mode, matchOn } };
}

/** Parses a CSV file of contacts. The first line contains the headings. */
async function parseCsv(file: CsvFile, settings: ImportSettings): Promise<ImportRow[]> {
  const rows: ImportRow[] = [];
  let columns: string[] | undefined;
  const nameless = new Set<number>();
  for await (const { cells } of csvRecords(file, mostImportRows)) {
    if (columns) {
      rows.push(rowOf(columns, cells));
      for (const place of placesWithoutHeading(columns, cells)) nameless.add(place);
    } else refuseViolations(headingViolations((columns = cells.map(columnOf)), settings));
  }
  refuseViolations(
    [...nameless].map((place) => ({ path: "body", message: `must have a heading above column ${place + 1}` })),
  );
  return rows;
}
