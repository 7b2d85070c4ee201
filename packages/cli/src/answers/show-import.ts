import type { Api } from "@canvass/sdk";
import { showTable } from "../show-table.ts";

/** The fields that an import and its preview share. */
export type ImportOutcome = Pick<Api.ResponseImport, "total" | "failed" | "violations" | "errors" | "columnsLeftOut">;

/** Shows how far an import is, or what became of it, with the rows that were refused. */
export function showImport(result: Record<string, unknown>): string {
  const found = result as unknown as Api.ResponseImport;
  return withRefused(headOf(found), found);
}

function headOf({ status, percentComplete, total, imported, skipped, failed, error }: Api.ResponseImport): string {
  const counts = `Of ${total} rows ${imported} were imported, ${skipped} skipped (stored before) and ${failed} refused`;
  if (status === "failed") return `The import failed. ${error?.message ?? ""}`.trim();
  return status === "completed" ? `${counts}.` : `${counts} so far (${status}, ${percentComplete} %).`;
}

/** Puts below a first line which rows of a file are wrong, and which columns were left out. */
export function withRefused(head: string, outcome: ImportOutcome): string {
  const refused = showRefused(outcome);
  return refused === "" ? head : `${head}\n\n${refused}`;
}

/** Shows which rows of a file are wrong, by line and column, and which columns were left out. Empty: none. */
export function showRefused({ failed, violations, errors, columnsLeftOut }: ImportOutcome): string {
  const parts: string[] = [];
  if (columnsLeftOut.length > 0) parts.push(`Columns left out: ${columnsLeftOut.join(", ")}`);
  if (failed > 0) {
    const alike = Map.groupBy(errors, ({ column, message }) => JSON.stringify([column, message]));
    const rows = [...alike.values()].map((all) => [linesOf(all), all[0]!.column || null, all[0]!.message]);
    parts.push(showTable(["line", "column", "why"], rows));
    if (violations > errors.length) parts.push(`These are the first ${errors.length} of ${violations} violations.`);
  }
  return parts.join("\n\n");
}

const mostRanges = 8;

/** Names lines in the order of the file, such as `2-4, 7`; of many ranges the first eight. */
function linesOf(errors: readonly Api.ResponseImportError[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const { line } of errors) {
    const last = ranges.at(-1);
    if (last && line <= last.to + 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  const shown = ranges.slice(0, mostRanges).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  return [...shown, ...(ranges.length > mostRanges ? ["…"] : [])].join(", ");
}
