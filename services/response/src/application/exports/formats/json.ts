import type { ExportCell } from "@canvass/questions";
import type { ExportField } from "../../../domain/exports/export-fields.ts";
import type { ExportFormat } from "./export-format.ts";

const cells = { values: "written", times: "text", lists: "json" } as const;

export const json: ExportFormat = {
  extension: "json",
  mediaType: "application/json",
  cells,
  async *encode({ fields, rows }) {
    const write = createRowWriter(fields);
    let before = "[\n";
    for await (const some of rows()) {
      if (some.length === 0) continue;
      yield Buffer.from(before + some.map(write).join(",\n"));
      before = ",\n";
    }
    yield Buffer.from(before === "[\n" ? "[]\n" : "\n]\n");
  },
};

export const ndjson: ExportFormat = {
  extension: "ndjson",
  mediaType: "application/x-ndjson",
  cells,
  async *encode({ fields, rows }) {
    const write = createRowWriter(fields);
    for await (const some of rows()) yield Buffer.from(some.map((row) => `${write(row)}\n`).join(""));
  },
};

function createRowWriter(fields: readonly ExportField[]): (row: readonly ExportCell[]) => string {
  const members = fields.map(({ heading, write }) => ({ key: `${JSON.stringify(heading)}:`, write }));
  return (row) => `{${members.map(({ key, write }) => key + write(row)).join(",")}}`;
}
