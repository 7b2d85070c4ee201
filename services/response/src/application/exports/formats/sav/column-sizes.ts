import type { ExportCell } from "@canvass/questions";
import type { ExportContent } from "../export-format.ts";
import { isText, longestText, textBytes, type ColumnSize } from "./variables.ts";

/** SPSS pads each text to the width of its column. Padding may take this many bytes plus twice the content. */
const paddingAllowance = 16 * 1024 * 1024;

/** Texts up to this many bytes are never cut to save padding: they take one segment. */
const alwaysKept = 255;

/** Returns the sizes of each column's cells. They precede the rows in the file, so this reads all rows. */
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
        // UTF-8 takes at most three bytes per UTF-16 unit, so most texts need no count.
        if (cell.length * 3 > widths[index]!) widths[index] = Math.max(widths[index]!, textBytes(cell).length);
      }
      for (const index of numbers) widen(shown[index]!, row[index]!);
    }
  }
  const most = widestWithin(
    texts.map((index) => widths[index]!),
    (paddingAllowance + 2 * written) / Math.max(1, content.rowCount),
  );
  return shown.map((each, index) => ({ ...each, bytes: Math.min(widths[index]!, most) }));
}

function widen(shown: Omit<ColumnSize, "bytes">, cell: ExportCell): void {
  if (typeof cell !== "number") return;
  const text = String(cell);
  // Very small numbers are written with an exponent. The largest answer is not.
  const [whole = "", fraction = ""] = (text.includes("e") ? cell.toFixed(16) : text).split(".");
  shown.characters = Math.max(shown.characters, whole.length);
  shown.decimals = Math.max(shown.decimals, fraction.length);
}

/** Returns the largest width whose padding fits into a budget per row. Compressed, eight blanks take one byte. */
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
