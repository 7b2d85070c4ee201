import type { Sql } from "@canvass/postgres";
import { repairPlanChanges } from "./plan-changes.ts";

/**
 * Changes of running transactions and of other replicas may be ahead by this much although no clock was set back. Ending
 * an interval earlier would lose the events between.
 */
const SKEW_MS = 10_000;

/** After the clock was set back, starts and ends in the future become now, so that events match the current state. */
export async function repairListening(sql: Sql, now: Date): Promise<void> {
  const ahead = new Date(now.getTime() + SKEW_MS);
  await sql.query(
    `WITH ahead AS MATERIALIZED (
       SELECT workspace_id, subscription_id FROM subscriptions WHERE updated_at > $2
       ORDER BY workspace_id, subscription_id FOR UPDATE
     )
     UPDATE subscriptions s SET updated_at = $1 FROM ahead
     WHERE s.workspace_id = ahead.workspace_id AND s.subscription_id = ahead.subscription_id`,
    [now, ahead],
  );
  await sql.query(
    `UPDATE listening_intervals SET started_at = least(started_at, $1),
       ended_at = CASE WHEN ended_at IS NOT NULL THEN least(ended_at, $1) END
     WHERE started_at > $2 OR ended_at > $2`,
    [now, ahead],
  );
  await repairPlanChanges(sql, now, ahead);
}
