import { createRowPurge, type Sql } from "@canvass/postgres";

export interface PlanChange {
  workspaceId: string;
  changedAt: Date;
  hasWebhooks: boolean;
}

/** A result according to the plan changes that are known. */
export interface Evaluated<Found> {
  found: Found;
  /** Whether only the plan excludes further results. */
  isWithheld: boolean;
}

const END = `
WITH ends AS (
  SELECT workspace_id, changed_at,
    lead(changed_at) OVER (PARTITION BY workspace_id ORDER BY changed_at) AS ended_at
  FROM plan_changes WHERE workspace_id = ANY ($1)
)
UPDATE plan_changes c SET ended_at = ends.ended_at FROM ends
WHERE c.workspace_id = ends.workspace_id AND c.changed_at = ends.changed_at
  AND c.ended_at IS DISTINCT FROM ends.ended_at`;

/** Takes changes in any order and repeatedly. The next call for a workspace repairs a failure in between. */
export async function insertPlanChanges(sql: Sql, changes: readonly PlanChange[]): Promise<void> {
  await sql.query(
    `INSERT INTO plan_changes (workspace_id, changed_at, has_webhooks)
     SELECT workspace_id, changed_at, has_webhooks
     FROM unnest($1::text[], $2::timestamptz[], $3::boolean[]) AS told (workspace_id, changed_at, has_webhooks)
     ORDER BY workspace_id, changed_at ON CONFLICT DO NOTHING`,
    [
      changes.map(({ workspaceId }) => workspaceId),
      changes.map(({ changedAt }) => changedAt),
      changes.map(({ hasWebhooks }) => hasWebhooks),
    ],
  );
  await sql.query(END, [changes.map(({ workspaceId }) => workspaceId)]);
}

export function findPlanChanges(sql: Sql, workspaceIds: readonly string[]): Promise<PlanChange[]> {
  return sql.query(
    `SELECT workspace_id AS "workspaceId", changed_at AS "changedAt", has_webhooks AS "hasWebhooks"
     FROM plan_changes WHERE workspace_id = ANY ($1)`,
    [workspaceIds],
  );
}

/**
 * After the clock was set back: of a workspace that has a change after `aheadOf`, moves the last change to `now` and
 * deletes the others after `now`.
 */
export async function repairPlanChanges(sql: Sql, now: Date, aheadOf: Date): Promise<void> {
  const ahead = await sql.query<{ workspaceId: string }>(
    `SELECT DISTINCT workspace_id AS "workspaceId" FROM plan_changes WHERE changed_at > $1 OR ended_at > $1`,
    [aheadOf],
  );
  if (ahead.length === 0) return;
  await sql.query(
    `WITH ahead AS MATERIALIZED (
       SELECT workspace_id, changed_at FROM plan_changes
       WHERE changed_at > $1 AND workspace_id IN (SELECT workspace_id FROM plan_changes WHERE changed_at > $2)
       ORDER BY workspace_id, changed_at FOR UPDATE
     ), removed AS (
       DELETE FROM plan_changes c USING ahead
       WHERE c.workspace_id = ahead.workspace_id AND c.changed_at = ahead.changed_at
       RETURNING c.workspace_id, c.changed_at, c.has_webhooks
     )
     INSERT INTO plan_changes (workspace_id, changed_at, has_webhooks)
     SELECT DISTINCT ON (workspace_id) workspace_id, $1::timestamptz, has_webhooks
     FROM removed ORDER BY workspace_id, changed_at DESC
     ON CONFLICT (workspace_id, changed_at) DO UPDATE SET has_webhooks = excluded.has_webhooks`,
    [now, aheadOf],
  );
  await sql.query(END, [ahead.map(({ workspaceId }) => workspaceId)]);
}

/**
 * Returns a SQL condition: whether the plan had webhooks at that time. Before the first change it had: otherwise there
 * would be no subscription.
 */
export function hadWebhooksSql(workspaceIdSql: string, atSql: string): string {
  return `coalesce((
    SELECT c.has_webhooks FROM plan_changes c
    WHERE c.workspace_id = ${workspaceIdSql} AND c.changed_at <= ${atSql}
    ORDER BY c.changed_at DESC LIMIT 1), true)`;
}

export const purgePlanChanges = createRowPurge("plan_changes", "ended_at");
