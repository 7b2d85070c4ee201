import type { Sql } from "@canvass/postgres";
import type { DistributorKey } from "./distributors.ts";

/** Locks rows in one order, so that batches cannot deadlock. */
const COUNT = `WITH opened AS (
  SELECT workspace_id, distributor_id, count(*) AS times
  FROM unnest($1::text[], $2::text[]) AS asked (workspace_id, distributor_id) GROUP BY 1, 2
), locked AS (
  SELECT c.workspace_id, c.distributor_id, opened.times
  FROM opened JOIN opened_counts c USING (workspace_id, distributor_id)
  ORDER BY 1, 2 FOR UPDATE OF c
)
UPDATE opened_counts c SET opened = c.opened + locked.times
FROM locked WHERE c.workspace_id = locked.workspace_id AND c.distributor_id = locked.distributor_id`;

/** Counts a distributor as often as it occurs in `opened`. Ignores unknown distributors. */
export async function countOpened(sql: Sql, opened: readonly DistributorKey[]): Promise<void> {
  const workspaceIds = opened.map(({ workspaceId }) => workspaceId);
  const distributorIds = opened.map(({ distributorId }) => distributorId);
  await sql.query(COUNT, [workspaceIds, distributorIds]);
}
