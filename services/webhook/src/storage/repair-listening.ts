import type { Sql } from "@canvass/postgres";
import { repairPlanChanges } from "./plan-changes.ts";

/**
 * Repairs data after the clock was set back: listening that begins or ends in the future does so now. Otherwise events
 * until then would be matched by the earlier state of subscription and plan, and later changes would take effect only
 * then (`timeOfChange`).
 */
export async function repairListening(sql: Sql, now: Date): Promise<void> {
  await sql.query(
    `WITH ahead AS MATERIALIZED (
       SELECT workspace_id, subscription_id FROM subscriptions WHERE updated_at > $1
       ORDER BY workspace_id, subscription_id FOR UPDATE
     )
     UPDATE subscriptions s SET updated_at = $1 FROM ahead
     WHERE s.workspace_id = ahead.workspace_id AND s.subscription_id = ahead.subscription_id`,
    [now],
  );
  await sql.query(
    `UPDATE listening_intervals SET started_at = least(started_at, $1),
       ended_at = CASE WHEN ended_at IS NOT NULL THEN least(ended_at, $1) END
     WHERE started_at > $1 OR ended_at > $1`,
    [now],
  );
  await repairPlanChanges(sql, now);
}
