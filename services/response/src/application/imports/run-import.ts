import { AppError } from "@canvass/errors";
import type { JobRun } from "@canvass/jobs";
import { findNextChunk } from "@canvass/jobs/imports";
import { inTransaction } from "@canvass/postgres";
import type { ResponseContext } from "../../context.ts";
import { findColumns } from "../../domain/imports/import-columns.ts";
import type { FileRow } from "../../domain/imports/imported-rows.ts";
import { responseImports, findImport } from "../../storage/imports/response-imports.ts";
import { storeChunk } from "./store-chunk.ts";

export type ImportRunner = Pick<
  ResponseContext,
  "database" | "limitWrites" | "outbox" | "now" | "surveys" | "prepareVersion"
>;

export async function runImport(runner: ImportRunner, { workspaceId, jobId, signal, save }: JobRun): Promise<void> {
  const { database, limitWrites, outbox, now, surveys, prepareVersion } = runner;
  const ref = { workspaceId, importId: jobId };
  const stored = await findImport(database.sql, ref);
  if (!stored || stored.completedAt) return;
  const version = await prepareVersion(stored);
  const columns = findColumns(stored.headings, version.definition);
  for (;;) {
    signal.throwIfAborted();
    const chunk = await findNextChunk<FileRow>(database.sql, ref);
    if (!chunk) break;
    // Stores how the survey collects, if that is unknown. The transaction reads it behind its lock.
    const fetched = await surveys.collectingState(stored);
    if (!fetched.found) throw new AppError("survey_not_found");
    const events = await limitWrites(() =>
      inTransaction(
        database.pool,
        (sql) => storeChunk({ sql, surveys, now }, { stored, version, columns, chunk, fetched }, save),
        { retryOnce: true },
      ),
    );
    if (events.length > 0) outbox.publish(events);
  }
  const { imported, skipped, failed, total } = (await findImport(database.sql, ref))!;
  // Rows that waited for days are purged.
  if (imported + skipped + failed < total) throw new AppError("internal_error");
  await responseImports.complete(database.sql, ref, now());
}
