import type { ExportContent } from "../export-format.ts";
import { longestText, textBytes } from "./variables.ts";

/** A text of SPSS fills its whole width in every row. So much of the file may be fillings, beside twice what is written. */
const usualFillings = 16 * 1024 * 1024;

/** No text of so many bytes is cut for the fillings' sake: it is one segment. */
const alwaysKept = 255;

/**
 * Bytes of the text in each column: of the longest one, or less where a few long ones would fill the file with blanks. The
 * widths stand before the rows, so this reads all of them.
 */
export async function findWidths(content: ExportContent): Promise<number[]> {
  const { columns, rows } = content;
  const widths = columns.map(() => 1);
  const texts = columns.flatMap(({ kind }, index) => (kind === "text" ? [index] : []));
  let written = content.rowCount * columns.length;
  for await (const some of rows()) {
    for (const row of some) {
      for (const index of texts) {
        const cell = row[index];
        if (typeof cell !== "string") continue;
        written += cell.length;
        // Three bytes a unit is the most UTF-8 takes: most texts need no count.
        if (cell.length * 3 > widths[index]!) widths[index] = Math.max(widths[index]!, textBytes(cell).length);
      }
    }
  }
  const most = widestWithin(
    texts.map((index) => widths[index]!),
    (usualFillings + 2 * written) / Math.max(1, content.rowCount),
  );
  return widths.map((width) => Math.min(width, most));
}

/** The greatest width at which blanks cost no more than a budget in each row: compressed, eight of them are one byte. */
function widestWithin(widths: readonly number[], budget: number): number {
  const costOf = (most: number) => widths.reduce((sum, width) => sum + Math.ceil(Math.min(width, most) / 8), 0);
  let [kept, tooWide] = [alwaysKept, longestText + 1];
  while (tooWide - kept > 1) {
    const middle = Math.floor((kept + tooWide) / 2);
    if (costOf(middle) <= budget) kept = middle;
    else tooWide = middle;
  }
  return kept;
}
