import Table from "cli-table3";

const noLines = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
    .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid"])
    .map((part) => [part, ""]),
);

/** Returns rows below their headings, one line each. */
export function showTable(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const style = { head: [], border: [], "padding-left": 0, "padding-right": 0 };
  const table = new Table({ head: [...head], style, chars: { ...noLines, middle: "  " } });
  for (const row of rows) table.push(row.map((cell) => String(cell ?? "-").replaceAll(/\s+/g, " ")));
  return table.toString().replaceAll(/ +$/gm, "");
}
