import type { ExportCell } from "@canvass/questions";

/** What spreadsheets take for the beginning of a formula, also in its full-width and small forms. */
const SIGN = "[=+\\-@＝＋－＠﹦﹢﹣﹫]";
/** Blanks, controls and marks that nobody sees: many readers drop them before they look at a cell. */
const UNSEEN = "\\p{Zs}\\p{Cc}\\p{Cf}\\p{M}\\p{DI}\\u2028\\u2029\\u2800";

const formula = new RegExp(`^(?:[\\t\\r\\n]|[${UNSEEN}]*${SIGN})`, "u");

/** Keeps spreadsheets from running what respondents wrote: an apostrophe makes it text. Numbers stay as they are. */
export function escapeFormula<Cell extends ExportCell>(cell: Cell): Cell | string {
  return typeof cell === "string" && formula.test(cell) ? `'${cell}` : cell;
}

/** A spreadsheet whose language separates by semicolons begins a cell behind one, in quotes or not. A smiley is no formula. */
const formulaInside = new RegExp(`([;\\t](?:(?!\\t)["${UNSEEN}])*)(?=${SIGN}(?!\\)))`, "gu");

/** The same for a file of lines, which readers cut into cells as they are set up. */
export function escapeInLine<Cell extends ExportCell>(cell: Cell): Cell | string {
  const escaped = escapeFormula(cell);
  return typeof escaped === "string" ? escaped.replace(formulaInside, "$1'") : escaped;
}
