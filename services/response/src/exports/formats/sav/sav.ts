import type { ExportContent, ExportFormat } from "../export-format.ts";
import { createCaseWriter } from "./case-writer.ts";
import { dictionary } from "./dictionary.ts";
import { longestText, textBytes, variablesOf, type Variable } from "./variables.ts";

/**
 * An SPSS system file, after "System File Format" of the PSPP developers' guide: UTF-8, compressed, with labels of variables
 * and values and levels of measurement. The rows are read twice, because the widths of texts stand before them.
 */
export const sav: ExportFormat = {
  extension: "sav",
  mediaType: "application/x-spss-sav",
  cells: { values: "codes", times: "clock" },
  async *encode(content) {
    const variables = variablesOf(content.columns, await findWidths(content));
    yield dictionary(variables, content);
    yield* cases(content, variables);
  },
};

async function findWidths({ columns, rows }: ExportContent): Promise<number[]> {
  const widths = columns.map(() => 1);
  const texts = columns.flatMap(({ kind }, index) => (kind === "text" ? [index] : []));
  for await (const some of rows()) {
    for (const row of some) {
      for (const index of texts) {
        const cell = row[index];
        if (typeof cell !== "string") continue;
        // Three bytes a unit is the most UTF-8 takes: most texts need no count.
        if (cell.length * 3 > widths[index]!) widths[index] = Math.max(widths[index]!, textBytes(cell).length);
      }
    }
  }
  return widths.map((width) => Math.min(width, longestText));
}

async function* cases({ rows }: ExportContent, variables: readonly Variable[]): AsyncGenerator<Uint8Array> {
  const writer = createCaseWriter(variables);
  for await (const some of rows()) {
    for (const row of some) writer.write(row);
    yield writer.take();
  }
  yield writer.end();
}
