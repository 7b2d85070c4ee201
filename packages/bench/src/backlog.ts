import type { Pool } from "pg";

export interface BacklogEndpoint {
  workspaceId: string;
  subscriptionId: string;
}

/** One delivery per millisecond until $4. Ids sort by time, as the service's own do. */
const MADE = `
  SELECT w AS workspace_id, s AS subscription_id, $4::timestamptz - (($3 - n) * interval '1 millisecond') AS at,
    to_hex((extract(epoch FROM $4::timestamptz) * 1000)::bigint) || lpad(to_hex(n), 5, '0') AS delivery_id
  FROM unnest($1::text[], $2::text[]) AS e (w, s) CROSS JOIN generate_series(1, $3::int) AS n`;

const STATEMENTS = [
  `INSERT INTO deliveries
     (workspace_id, subscription_id, delivery_id, event_id, event_type, body, status, created_at)
   SELECT workspace_id, subscription_id, delivery_id, delivery_id, 'response.completed', $5::text, 'delivered', at
   FROM (${MADE}) made`,
  `INSERT INTO due_deliveries (workspace_id, subscription_id, delivery_id, due_at, scheduled_at, attempts)
   SELECT workspace_id, subscription_id, delivery_id, at, at, 0 FROM (${MADE}) made WHERE $5::text IS NOT NULL`,
  `INSERT INTO endpoint_queues (workspace_id, subscription_id, next_due_at)
   SELECT workspace_id, subscription_id, min(at) FROM (${MADE}) made WHERE $5::text IS NOT NULL GROUP BY 1, 2
   ON CONFLICT (workspace_id, subscription_id) DO UPDATE SET next_due_at = excluded.next_due_at`,
];

/** Inserts `each` due deliveries, not yet attempted, for each endpoint. */
export async function insertBacklog(pool: Pool, endpoints: readonly BacklogEndpoint[], each: number): Promise<void> {
  const body = JSON.stringify({ type: "response.completed", timestamp: "t", data: { response_id: "r".repeat(16) } });
  const at = new Date(Date.now() - 1000);
  const workspaces = endpoints.map(({ workspaceId }) => workspaceId);
  const subscriptions = endpoints.map(({ subscriptionId }) => subscriptionId);
  for (const statement of STATEMENTS) await pool.query(statement, [workspaces, subscriptions, each, at, body]);
  await pool.query("ANALYZE");
}

export async function countDue(pool: Pool): Promise<number> {
  return (await pool.query("SELECT count(*)::int AS count FROM due_deliveries")).rows[0].count;
}
