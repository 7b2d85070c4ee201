import type { ExportCell } from "@canvass/questions";

/** What spreadsheets take for the beginning of a formula, also in its full-width form. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/** Keeps spreadsheets from running what respondents wrote: an apostrophe makes it text. Numbers stay as they are. */
export function escapeFormula<Cell extends ExportCell>(cell: Cell): Cell | string {
  return typeof cell === "string" && formula.test(cell) ? `'${cell}` : cell;
}
