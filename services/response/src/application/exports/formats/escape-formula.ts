import type { ExportCell } from "@canvass/questions";

/** Characters that spreadsheets read as the start of a formula, with their full-width and small forms. */
const SIGN = "[=+\\-@＝＋－＠﹦﹢﹣﹫]";
/**
 * What may stand before the sign: invisible characters, which many readers strip before they parse a cell, and
 * apostrophes, so that a text that looks escaped gets one more and is read back as it was.
 */
const BEFORE = "'\\p{Zs}\\p{Cc}\\p{Cf}\\p{M}\\p{DI}\\u2028\\u2029\\u2800";

const formula = new RegExp(`^(?:'*[\\t\\r\\n]|[${BEFORE}]*${SIGN})`, "u");

/** Puts an apostrophe before text that spreadsheets would run as a formula. Numbers are not changed. */
export function escapeFormula<Cell extends ExportCell>(cell: Cell): Cell | string {
  return typeof cell === "string" && formula.test(cell) ? `'${cell}` : cell;
}

/** In some languages, spreadsheets split cells at semicolons, quoted or not. A sign before `)` is a smiley. */
const formulaInside = new RegExp(`([;\\t](?:(?!\\t)["${BEFORE}])*)(?=${SIGN}(?!\\)))`, "gu");

/** Like `escapeFormula`, for text files, whose readers may split cells at other separators. */
export function escapeInLine<Cell extends ExportCell>(cell: Cell): Cell | string {
  const escaped = escapeFormula(cell);
  return typeof escaped === "string" ? escaped.replace(formulaInside, "$1'") : escaped;
}

const escapedInside = new RegExp(`([;\\t](?:(?!\\t)["${BEFORE}])*)'(?=${SIGN}(?!\\)))`, "gu");

/** Undoes `escapeInLine`. Other text is not changed. */
export function unescapeInLine(text: string): string {
  const inside = text.replace(escapedInside, "$1");
  const bare = inside.startsWith("'") ? inside.slice(1) : inside;
  return [bare, inside].find((candidate) => escapeInLine(candidate) === text) ?? text;
}
