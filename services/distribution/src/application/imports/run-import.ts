import { mapInSlices } from "@canvass/fairness";
import type { JobRun } from "@canvass/jobs";
import { inTransaction } from "@canvass/postgres";
import type { DistributionShell } from "../../context.ts";
import { validateRow } from "../../domain/imports/apply-rows.ts";
import { completeImport, findImport } from "../../storage/imports/imports.ts";
import { findNextPiece } from "../../storage/imports/staged-rows.ts";
import { storePiece } from "./store-piece.ts";

export type ImportRunner = Pick<DistributionShell, "database" | "limitWrites" | "now">;

export async function runImport(
  { database: { pool, sql }, limitWrites, now }: ImportRunner,
  { workspaceId, jobId, signal, save }: JobRun,
): Promise<void> {
  const ref = { workspaceId, importId: jobId };
  const stored = await findImport(sql, ref);
  if (!stored || stored.completedAt) return;
  for (;;) {
    signal.throwIfAborted();
    const piece = await findNextPiece(sql, ref);
    if (!piece) break;
    const { firstRow } = piece;
    const rows = await mapInSlices(piece.rows, (row, index) => validateRow(firstRow + index, row, stored));
    const store = { stored, firstRow, rows, at: now() };
    await limitWrites(() =>
      inTransaction(pool, (transaction) => storePiece(transaction, store, save), { retryOnce: true }),
    );
  }
  await completeImport(sql, ref, now());
}
