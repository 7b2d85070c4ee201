import type { Sql } from "@canvass/postgres";
import type { DistributorRef } from "../../domain/links/link.ts";

export interface DistributorResult extends DistributorRef {
  started: number;
  completed: number;
}

export async function findDistributorResults(
  sql: Sql,
  distributors: readonly DistributorRef[],
): Promise<DistributorResult[]> {
  const rows = await sql.query<{ workspaceId: string; distributorId: string; started: string; completed: string }>(
    `SELECT workspace_id AS "workspaceId", distributor_id AS "distributorId", sum(started)::int8 AS started,
       sum(completed)::int8 AS completed
     FROM distributor_counters WHERE (workspace_id, distributor_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     GROUP BY workspace_id, distributor_id`,
    [distributors.map(({ workspaceId }) => workspaceId), distributors.map(({ distributorId }) => distributorId)],
  );
  return rows.map((row) => ({ ...row, started: Number(row.started), completed: Number(row.completed) }));
}
