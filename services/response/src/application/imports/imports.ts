import { importKind, startImports, type Imports } from "@canvass/jobs/imports";
import type { ResponseShell } from "../../context.ts";
import { runImport, type ImportRunner } from "./run-import.ts";

const kinds = { small: "response_import", large: "large_response_import" };

export const responseImportKind = (rows: number): string => importKind(kinds, rows);

export function startResponseImports(
  shell: ResponseShell,
  { surveys, prepareVersion }: Pick<ImportRunner, "surveys" | "prepareVersion">,
): Imports {
  const { database, limitWrites, outbox, now, log, metrics } = shell;
  const runner = { database, limitWrites, outbox, now, surveys, prepareVersion };
  return startImports({ sql: database.sql, now, log, metrics, atOnce: 1 }, kinds, (job) => runImport(runner, job));
}
