import type { ExportCell } from "@canvass/questions";
import type { ExportContent } from "../export-format.ts";
import { isText, longestText, textBytes, type ColumnSize } from "./variables.ts";

/** A text of SPSS fills its whole width in every row. So much of the file may be fillings, beside twice what is written. */
const usualFillings = 16 * 1024 * 1024;

/** No text of so many bytes is cut for the fillings' sake: it is one segment. */
const alwaysKept = 255;

/** What the cells of each column need. Sizes stand before the rows, so this reads all of them. */
export async function findSizes(content: ExportContent): Promise<ColumnSize[]> {
  const { columns, rows } = content;
  const widths = columns.map(() => 1);
  const shown = columns.map(() => ({ characters: 1, decimals: 0 }));
  const texts = columns.flatMap((column, index) => (isText(column) ? [index] : []));
  const numbers = columns.flatMap(({ kind }, index) => (kind === "number" ? [index] : []));
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
      for (const index of numbers) widen(shown[index]!, row[index]!);
    }
  }
  const most = widestWithin(
    texts.map((index) => widths[index]!),
    (usualFillings + 2 * written) / Math.max(1, content.rowCount),
  );
  return shown.map((each, index) => ({ ...each, bytes: Math.min(widths[index]!, most) }));
}

function widen(shown: Omit<ColumnSize, "bytes">, cell: ExportCell): void {
  if (typeof cell !== "number") return;
  const text = String(cell);
  // The smallest numbers have an exponent; the largest answer has none.
  const [whole = "", fraction = ""] = (text.includes("e") ? cell.toFixed(16) : text).split(".");
  shown.characters = Math.max(shown.characters, whole.length);
  shown.decimals = Math.max(shown.decimals, fraction.length);
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
