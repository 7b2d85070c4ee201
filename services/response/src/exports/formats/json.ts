import type { ExportCell } from "@canvass/questions";
import type { HeadedColumn } from "../../domain/exports/export-layout.ts";
import type { ExportFormat } from "./export-format.ts";

const cells = { values: "written", times: "text" } as const;

/** An array of objects, one for each respondent, whose keys are the headings. */
export const json: ExportFormat = {
  extension: "json",
  mediaType: "application/json",
  cells,
  async *encode({ columns, rows }) {
    const write = createRowWriter(columns);
    let before = "[\n";
    for await (const some of rows()) {
      if (some.length === 0) continue;
      yield Buffer.from(before + some.map(write).join(",\n"));
      before = ",\n";
    }
    yield Buffer.from(before === "[\n" ? "[]\n" : "\n]\n");
  },
};

/** The same objects, one in each line. */
export const ndjson: ExportFormat = {
  extension: "ndjson",
  mediaType: "application/x-ndjson",
  cells,
  async *encode({ columns, rows }) {
    const write = createRowWriter(columns);
    for await (const some of rows()) yield Buffer.from(some.map((row) => `${write(row)}\n`).join(""));
  },
};

function createRowWriter(columns: readonly HeadedColumn[]): (row: readonly ExportCell[]) => string {
  const keys = columns.map(({ heading }) => `${JSON.stringify(heading)}:`);
  return (row) => `{${row.map((cell, index) => keys[index] + JSON.stringify(cell)).join(",")}}`;
}
