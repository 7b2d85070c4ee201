import { waitFor } from "@canvass/testing";
import { parquetReadObjects } from "hyparquet";
import { createRequire } from "node:module";
import papaparse from "papaparse";
import readExcelFile from "read-excel-file/node";
import type { Json } from "../../src/index.ts";
import type { Questionnaire } from "./questionnaire.ts";

// The package supports only `require`.
const { SavBufferReader } = createRequire(import.meta.url)("sav-reader") as {
  SavBufferReader: new (file: Buffer) => {
    open(): Promise<void>;
    readAllRows(includeNulls: boolean): Promise<Record<string, unknown>[]>;
  };
};

export type ReadRow = Record<string, unknown>;

/** Makes an export with names as headings, and downloads it. */
export async function exportFile({ api, surveyId }: Questionnaire, options: object): Promise<Buffer> {
  const { data } = await api.post(`/exports/surveys/${surveyId}`, { headings: "names", ...options });
  const state = async () => (await api.get(`/exports/${data.id}`)).data;
  await waitFor(async () => (await state()).status === "completed", { describe: "the export" });
  const { url } = (await api.get(`/exports/${data.id}/download`)).data;
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

export const readLines = (file: Buffer): ReadRow[] =>
  file
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ReadRow);

/** Reads files by libraries that did not write them. */
export const readers: Record<"csv" | "xlsx" | "sav" | "parquet", (file: Buffer) => Promise<ReadRow[]>> = {
  csv: async (file) => papaparse.parse<ReadRow>(file.toString(), { header: true, skipEmptyLines: true }).data,
  async xlsx(file) {
    const read = await readExcelFile(file, { trim: false });
    const [head, ...rows] = ((read[0] as Json).data ?? read) as unknown[][];
    return rows.map((row) => Object.fromEntries(head!.map((name, at) => [name, row[at]])));
  },
  async sav(file) {
    const reader = new SavBufferReader(file);
    await reader.open();
    return reader.readAllRows(true);
  },
  parquet: async (file) =>
    parquetReadObjects({ file: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer }),
};
