import type { ExportCell } from "@canvass/questions";
import type { ExportContent, ExportFormat } from "../export-format.ts";
import { createCaseWriter } from "./case-writer.ts";
import { findSizes } from "./column-sizes.ts";
import { dictionary } from "./dictionary.ts";
import { variablesOf, type Variable } from "./variables.ts";

/** An SPSS system file, after "System File Format" of the PSPP developers' guide, in UTF-8 and compressed. */
export const sav: ExportFormat = {
  extension: "sav",
  mediaType: "application/x-spss-sav",
  cells: { values: "codes", times: "clock", lists: "joined" },
  async *encode(content) {
    const variables = variablesOf(content.columns, await findSizes(content));
    warnOfLabels(variables, content.warn);
    yield dictionary(variables, content);
    yield* cases(content, variables);
  },
};

async function* cases({ rows, warn }: ExportContent, variables: readonly Variable[]): AsyncGenerator<Uint8Array> {
  const writer = createCaseWriter(variables);
  const texts = variables.flatMap((variable, index) => (variable.width > 0 ? [{ variable, index }] : []));
  for await (const some of rows()) {
    for (const row of some) {
      for (const { variable, index } of texts) warnOfText(row[index]!, variable, warn);
      writer.write(row);
    }
    yield writer.take();
  }
  yield writer.end();
}

function warnOfText(cell: ExportCell, { width, column }: Variable, warn: ExportContent["warn"]): void {
  if (typeof cell !== "string") return;
  if (cell.length * 3 > width && Buffer.byteLength(cell) > width) warn("texts_cut", column.id, width);
  else if (cell.endsWith(" ")) warn("blanks_dropped", column.id);
}

function warnOfLabels(variables: readonly Variable[], warn: ExportContent["warn"]): void {
  for (const { column, label, values } of variables) {
    for (const { isCut } of [label, ...values]) if (isCut) warn("labels_cut", column.id);
  }
}
