import type { ExportCell } from "@canvass/questions";
import type { HeadedColumn } from "../../../domain/exports/export-layout.ts";

type Kind = HeadedColumn["kind"];

const dayMs = 86_400_000;
/** Days from the epoch of spreadsheets to 1970. */
const epochDays = 25_569;
/** 1 March 1900. Spreadsheets disagree on earlier dates, because some count 29 February 1900. */
const firstDate = -2_203_891_200_000;
export const longestText = 32_767;

/** Formats of date cells. In `styles` they follow the plain style. */
export const dateFormats = ["yyyy-mm-dd", "hh:mm:ss", "yyyy-mm-dd hh:mm:ss"] as const;
const styleOf: Partial<Record<Kind, number>> = { date: 1, time: 2, datetime: 3 };
/** In characters. Spreadsheets show a date that is wider than its column as `####`. */
const widthOf: Partial<Record<Kind, number>> = { date: 12, time: 10, datetime: 21 };

/** Returns the widths of columns whose cells are wider than usual. */
export function columnsXml(columns: readonly Pick<HeadedColumn, "kind">[]): string {
  const wide = columns.map(({ kind }, index) => {
    const [place, width] = [index + 1, widthOf[kind]];
    return width === undefined ? "" : `<col min="${place}" max="${place}" width="${width}" customWidth="1"/>`;
  });
  return wide.every((column) => column === "") ? "" : `<cols>${wide.join("")}</cols>`;
}

export function cellXml(place: string, kind: Kind, cell: ExportCell): string {
  if (cell === null) return "";
  if (typeof cell === "string") return textXml(place, cell);
  const style = styleOf[kind];
  if (style === undefined) return `<c r="${place}"><v>${cell}</v></c>`;
  if (kind !== "time" && cell < firstDate) return textXml(place, dateText(kind, cell));
  return `<c r="${place}" s="${style}"><v>${cell / dayMs + (kind === "time" ? 0 : epochDays)}</v></c>`;
}

const dateText = (kind: Kind, at: number): string => {
  const text = new Date(at).toISOString();
  return kind === "date" ? text.slice(0, 10) : text.slice(0, -1);
};

/** Inline strings never run as formulas. */
function textXml(place: string, text: string): string {
  const kept = escapeXml(text.slice(0, longestText).toWellFormed());
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${kept}</t></is></c>`;
}

const special = /[&<>\uFFFE\uFFFF]|(?![\t\n])\p{Cc}|_(?=x[0-9A-Fa-f]{4}_)/gu;
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Writes characters that XML does not allow as `_xHHHH_`, and also an underscore that would start such an escape. */
function escapeXml(text: string): string {
  return text.replaceAll(
    special,
    (found) => entities[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
  );
}
