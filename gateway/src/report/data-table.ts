import { escapeHtml } from "@canvass/values";

/** Maximum size of a table. Notes report how many rows and columns there are. */
export const maxReported = { rows: 200, columns: 30 };

/** Columns that fit on paper side by side. More stand in further tables below. */
const columnsBeside = 8;

/** A table whose cells are markup. */
export interface DataTable {
  /** Names the table to screen readers, as text. */
  name: string;
  /** Over the labels of the rows. */
  corner?: string;
  heads: string[];
  rows: { label: string; cells: string[]; isTotal?: boolean }[];
}

/** Returns a table, or several with the same rows where it has many columns. Each can be scrolled from the keyboard. */
export function tableMarkup({ name, corner = "", heads, rows }: DataTable): string {
  const blocks: string[] = [];
  for (let from = 0; from === 0 || from < heads.length; from += columnsBeside) {
    const to = Math.min(from + columnsBeside, heads.length);
    const place = heads.length > columnsBeside ? `, columns ${from + 1} to ${to}` : "";
    const body = rows.map(
      ({ label, cells, isTotal }) =>
        `<tr${isTotal ? ' class="total"' : ""}><th scope="row" dir="auto">${label}</th>${cellsOf(cells.slice(from, to))}</tr>`,
    );
    const top = `<tr>${corner ? `<th scope="col">${corner}</th>` : "<td></td>"}${heads.slice(from, to).join("")}</tr>`;
    blocks.push(
      `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(name + place)}"><table><thead>${top}</thead><tbody>${body.join("")}</tbody></table></div>`,
    );
  }
  return blocks.join("\n");
}

const cellsOf = (cells: readonly string[]): string => cells.map((cell) => `<td>${cell}</td>`).join("");

/** Returns a column's heading as markup. With `part`, a square in that part's colour of the plot precedes it. */
export function headOf(label: string, part?: number): string {
  const colour = part === undefined ? "" : `<i class="part${part}"></i>`;
  return `<th scope="col" dir="auto">${colour}${escapeHtml(label)}</th>`;
}
