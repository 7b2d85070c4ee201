import type { Sql } from "@canvass/postgres";

/**
 * Moves starts and ends of intervals, and changes of subscriptions, after `aheadOf` to `now`. Returns their workspaces.
 */
export async function repairIntervals(sql: Sql, now: Date, aheadOf: Date): Promise<string[]> {
  const changed = await sql.query<{ workspaceId: string }>(
    `WITH ahead AS MATERIALIZED (
       SELECT workspace_id, subscription_id FROM subscriptions WHERE updated_at > $2
       ORDER BY workspace_id, subscription_id FOR UPDATE
     )
     UPDATE subscriptions s SET updated_at = $1 FROM ahead
     WHERE s.workspace_id = ahead.workspace_id AND s.subscription_id = ahead.subscription_id
     RETURNING s.workspace_id AS "workspaceId"`,
    [now, aheadOf],
  );
  const moved = await sql.query<{ workspaceId: string }>(
    `UPDATE listening_intervals SET started_at = least(started_at, $1),
       ended_at = CASE WHEN ended_at IS NOT NULL THEN least(ended_at, $1) END
     WHERE started_at > $2 OR ended_at > $2 RETURNING workspace_id AS "workspaceId"`,
    [now, aheadOf],
  );
  return [...new Set([...changed, ...moved].map(({ workspaceId }) => workspaceId))];
}
