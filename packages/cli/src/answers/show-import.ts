import type { Api } from "@canvass/sdk";
import { showTable } from "../show-table.ts";

/** What an import and its preview tell alike. */
export type ImportOutcome = Pick<Api.ResponseImport, "total" | "failed" | "violations" | "errors" | "columnsLeftOut">;

/** Shows which rows of a file are wrong, by line and column, and which columns were left out. Empty: none. */
export function showRefused({ failed, violations, errors, columnsLeftOut }: ImportOutcome): string {
  const parts: string[] = [];
  if (columnsLeftOut.length > 0) parts.push(`Columns left out: ${columnsLeftOut.join(", ")}`);
  if (failed > 0) {
    const rows = errors.map(({ line, column, message }) => [line, column || null, message]);
    parts.push(showTable(["line", "column", "why"], rows));
    if (violations > errors.length) parts.push(`These are the first ${errors.length} of ${violations} violations.`);
  }
  return parts.join("\n\n");
}
