import { AppError } from "@canvass/errors";
import type { Sql } from "@canvass/postgres";

export interface ImportRef {
  workspaceId: string;
  importId: string;
}

/** State of an import: when it completed, and whether its job has begun and how it ended. */
export interface ImportState {
  completedAt: Date | null;
  hasBegun: boolean;
  outcome: "succeeded" | "failed" | "cancelled" | null;
}

export interface ImportTable {
  /** Serializes the creation of imports of a workspace until the transaction ends. Throws `rate_limited`. */
  requireCapacity(sql: Sql, workspaceId: string): Promise<void>;
  /** Adds to the columns that `counts` names, and to the errors, of which the first `mostErrors` stay. */
  addCounts<Counts extends Readonly<Record<keyof Counts, number>>>(
    sql: Sql,
    ref: ImportRef,
    counts: Counts,
    errors: readonly object[],
    mostErrors: number,
  ): Promise<void>;
  /** Stores that all rows of the import were stored. */
  complete(sql: Sql, ref: ImportRef, now: Date): Promise<void>;
  /** Deletes imports that were created before `before` and have ended, with their jobs. Returns how many. */
  purge(this: void, sql: Sql, before: Date, limit: number): Promise<number>;
}

/** Most unfinished imports of a workspace in one table: ten may wait behind one that runs. */
const mostOpen = 11;

/**
 * A table with a row for each import: `total`, `errors`, `created_at`, `completed_at` and counts. The job of an import
 * has the same id.
 */
export function createImportTable(table: string): ImportTable {
  return {
    async requireCapacity(sql, workspaceId) {
      await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('imports ' || $1, 0))::text AS locked`, [
        workspaceId,
      ]);
      const [row] = await sql.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM jobs j JOIN ${table} i ON (i.workspace_id, i.import_id) = (j.workspace_id, j.job_id)
         WHERE j.workspace_id = $1 AND j.outcome IS NULL AND j.due_at IS NOT NULL`,
        [workspaceId],
      );
      if (row!.open < mostOpen) return;
      const details = { waiting_imports: mostOpen - 1 };
      throw new AppError("rate_limited", details, "The workspace has too many imports waiting.");
    },
    async addCounts(sql, { workspaceId, importId }, counts, errors, mostErrors) {
      const sums = Object.keys(counts).map((column, index) => `${column} = ${column} + $${index + 5}::int`);
      await sql.query(
        `UPDATE ${table} SET ${sums.join(", ")},
           errors = jsonb_path_query_array(errors || $3::jsonb, '$[0 to $last]', jsonb_build_object('last', $4::int - 1))
         WHERE workspace_id = $1 AND import_id = $2`,
        [
          workspaceId,
          importId,
          JSON.stringify(errors.slice(0, mostErrors)),
          mostErrors,
          ...Object.values<number>(counts),
        ],
      );
    },
    async complete(sql, { workspaceId, importId }, now) {
      await sql.query(`UPDATE ${table} SET completed_at = $3::timestamptz WHERE workspace_id = $1 AND import_id = $2`, [
        workspaceId,
        importId,
        now,
      ]);
    },
    async purge(sql, before, limit) {
      const purged = await sql.query(
        `WITH gone AS (DELETE FROM ${table} WHERE (workspace_id, import_id) IN (
             SELECT i.workspace_id, i.import_id FROM ${table} i
             JOIN jobs j ON (j.workspace_id, j.job_id) = (i.workspace_id, i.import_id)
             WHERE i.created_at < $1::timestamptz AND j.finished_at IS NOT NULL LIMIT $2::int)
           RETURNING workspace_id, import_id)
         DELETE FROM jobs j USING gone WHERE (j.workspace_id, j.job_id) = (gone.workspace_id, gone.import_id)
         RETURNING j.job_id`,
        [before, limit],
      );
      return purged.length;
    },
  };
}

export function importStatus({ outcome, completedAt, hasBegun }: ImportState): string {
  if (completedAt) return "completed";
  if (outcome) return "failed";
  return hasBegun ? "processing" : "queued";
}
