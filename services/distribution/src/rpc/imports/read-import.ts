import {
  createImportBody,
  importSettings,
  readObject,
  refuseViolations,
  shapeViolations,
  type Violation,
} from "@canvass/inputs";
import { isJsonObject, ownValue, unstorableIn } from "@canvass/values";
import type { CreateImportRequest } from "@canvass/proto/distribution-contacts";
import type { ImportRow, ImportSettings } from "../../domain/imports/import-settings.ts";
import { parseCsv } from "../../application/imports/parse-csv.ts";

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
    return unstorableIn(row).map((message) => ({ path: `rows.${index}`, message }));
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
