import { importKind, startImports, type Imports } from "@canvass/jobs/imports";
import type { DistributionShell } from "../../context.ts";
import { runImport } from "./run-import.ts";

const kinds = { small: "import", large: "large_import" };

export const contactImportKind = (rows: number): string => importKind(kinds, rows);

export function startContactImports(shell: DistributionShell): Imports {
  const { database, now, log, metrics } = shell;
  return startImports({ sql: database.sql, now, log, metrics, atOnce: 2 }, kinds, (job) => runImport(shell, job));
}
