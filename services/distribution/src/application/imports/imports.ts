import { importKind, startImports, type Imports, findNextChunk } from "@canvass/jobs/imports";
import type { DistributionShell } from "../../context.ts";
import { AppError } from "@canvass/errors";
import { mapInSlices } from "@canvass/fairness";
import type { JobRun } from "@canvass/jobs";
import { inTransaction } from "@canvass/postgres";
import { validateRow } from "../../domain/imports/apply-rows.ts";
import type { ImportRow } from "../../domain/imports/import-settings.ts";
import { contactImports, findImport } from "../../storage/imports/imports.ts";
import { storeChunk } from "./store-chunk.ts";

const kinds = { small: "import", large: "large_import" };

export const contactImportKind = (rows: number): string => importKind(kinds, rows);

export function startContactImports(shell: DistributionShell): Imports {
  const { database, now, log, metrics } = shell;
  return startImports({ sql: database.sql, now, log, metrics, atOnce: 2 }, kinds, (job) => runImport(shell, job));
}

type ImportRunner = Pick<DistributionShell, "database" | "limitWrites" | "now">;

async function runImport(
  { database: { pool, sql }, limitWrites, now }: ImportRunner,
  { workspaceId, jobId, signal, save }: JobRun,
): Promise<void> {
  const ref = { workspaceId, importId: jobId };
  const stored = await findImport(sql, ref);
  if (!stored || stored.completedAt) return;
  for (;;) {
    signal.throwIfAborted();
    const chunk = await findNextChunk<ImportRow>(sql, ref);
    if (!chunk) break;
    const { firstRow } = chunk;
    const rows = await mapInSlices(chunk.rows, (row, index) => validateRow(firstRow + index, row, stored));
    const store = { stored, firstRow, rows, at: now() };
    await limitWrites(() =>
      inTransaction(pool, (transaction) => storeChunk(transaction, store, save), { retryOnce: true }),
    );
  }
  const { created, updated, skipped, failed, total } = (await findImport(sql, ref))!;
  // Rows that waited for days are purged.
  if (created + updated + skipped + failed < total) throw new AppError("internal_error");
  await contactImports.complete(sql, ref, now());
}
