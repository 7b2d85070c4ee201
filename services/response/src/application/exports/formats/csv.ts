import type { ExportCell } from "@canvass/questions";
import { stringify } from "csv-stringify/sync";
import { escapeInLine } from "./escape-formula.ts";
import type { ExportFormat } from "./export-format.ts";

/** RFC 4180, in UTF-8. With a byte order mark spreadsheets take it for UTF-8, too. */
export const csv: ExportFormat = {
  extension: "csv",
  mediaType: "text/csv; charset=utf-8",
  cells: { values: "written", times: "text", lists: "joined" },
  async *encode({ bom, escapeFormulas, columns, rows }) {
    const lines = (some: readonly (readonly ExportCell[])[]): Uint8Array => {
      const safe = escapeFormulas ? some.map((row) => row.map(escapeInLine)) : some;
      return Buffer.from(stringify(safe as ExportCell[][], style));
    };
    if (bom) yield Buffer.from("\uFEFF");
    yield lines([columns.map(({ heading }) => heading)]);
    for await (const some of rows()) yield lines(some);
  },
};

/** A line break of any kind puts a cell into quotes, not only that which ends records. */
const style = { record_delimiter: "\r\n", quoted_match: /[\r\n]/ };
