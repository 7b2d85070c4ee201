import type { ExportCell } from "@canvass/questions";
import { stringify } from "csv-stringify/sync";
import { escapeInLine } from "./escape-formula.ts";
import type { ExportFormat } from "./export-format.ts";

/** RFC 4180, in UTF-8. The byte order mark makes spreadsheets recognize UTF-8. */
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

/** Any line break requires quotes, not only the record delimiter. */
const style = { record_delimiter: "\r\n", quoted_match: /[\r\n]/ };
