import type { Sql } from "@canvass/postgres";

export interface PlanChange {
  workspaceId: string;
  changedAt: Date;
  /** From then on. */
  hasWebhooks: boolean;
}

/** Any order; skips known changes. */
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
}

/**
 * SQL condition: the plan had webhooks at a moment. Takes SQL expressions. The last change decides; before the first
 * the plan had them, since otherwise nobody could have subscribed.
 */
export function hadWebhooks(workspaceId: string, at: string): string {
  return `coalesce((
    SELECT c.has_webhooks FROM plan_changes c
    WHERE c.workspace_id = ${workspaceId} AND c.changed_at <= ${at}
    ORDER BY c.changed_at DESC LIMIT 1), true)`;
}
