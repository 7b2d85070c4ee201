import {
  createImportBody,
  importQuery,
  isJsonObject,
  refuseFaults,
  shapeFaults,
  unstorableIn,
  type Fault,
} from "@canvass/inputs";
import type { CreateImportRequest } from "@canvass/proto/distribution-contacts";
import type { ImportRow, ImportSettings } from "../../domain/imports/import-settings.ts";
import { parseCsv } from "../../imports/parse-csv.ts";
import { readBody } from "../contacts/read-input.ts";

export interface ReadImport {
  rows: ImportRow[];
  settings: ImportSettings;
}

/** What is to be imported. Rows are judged later, one by one. Throws `validation_failed`. */
export async function readImport({ source, mode, matchOn }: CreateImportRequest): Promise<ReadImport> {
  const asked = { mode: mode || "upsert", matchOn: matchOn || "email" };
  if (source.case !== "csv") return readRows({ ...asked, ...readBody(source.value ?? "{}") });
  refuseFaults(shapeFaults(importQuery, asked));
  const settings = asked as ImportSettings;
  return { rows: await parseCsv(source.value, settings), settings };
}

/** What can not wait in the database. The fields of a row are judged while the import runs. */
function rowFaults({ rows }: { rows?: unknown }): Fault[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row, index) => {
    if (!isJsonObject(row)) return [{ path: `rows.${index}`, message: "must be an object" }];
    return unstorableIn(row).map((message) => ({ path: `rows.${index}`, message }));
  });
}

function readRows(body: object): ReadImport {
  refuseFaults([...shapeFaults(createImportBody, body), ...rowFaults(body)]);
  const { rows, mode, matchOn } = body as ImportSettings & { rows: ImportRow[] };
  return { rows, settings: { mode, matchOn } };
}
