import { createImportBody, importQuery, refuseFaults, shapeFaults } from "@canvass/inputs";
import type { CreateImportRequest } from "@canvass/proto/distribution-contacts";
import type { ImportRow, ImportSettings } from "../../domain/imports/import-settings.ts";
import { parseCsv } from "../../imports/parse-csv.ts";
import { readBody } from "../contacts/read-input.ts";

export interface ReadImport {
  rows: ImportRow[];
  settings: ImportSettings;
}

const defaults = { mode: "upsert", matchOn: "email" };

/** What is to be imported. Rows are judged later, one by one. Throws `validation_failed`. */
export async function readImport({ source }: CreateImportRequest): Promise<ReadImport> {
  if (source.case === "csv") {
    const { content, mode, matchOn } = source.value;
    const settings = { mode: mode || defaults.mode, matchOn: matchOn || defaults.matchOn };
    refuseFaults(shapeFaults(importQuery, settings));
    return { rows: await parseCsv(content, settings as ImportSettings), settings: settings as ImportSettings };
  }
  const body = { ...defaults, ...readBody(source.case === "bodyJson" ? source.value : "{}") };
  refuseFaults(shapeFaults(createImportBody, body));
  const { rows, mode, matchOn } = body as unknown as ImportSettings & { rows: ImportRow[] };
  return { rows, settings: { mode, matchOn } };
}
