import type { Sql } from "@canvass/postgres";
import { HAS_ENDED } from "./stored-status.ts";

/** Oldest first, each with its attempts. */
const PURGE = `
WITH old AS MATERIALIZED (
  SELECT workspace_id, subscription_id, delivery_id FROM deliveries x
  WHERE created_at < $1 AND status <> 'pending' AND ${HAS_ENDED("x")} ORDER BY created_at LIMIT $2
), unlogged AS (
  DELETE FROM attempts a USING old
  WHERE a.workspace_id = old.workspace_id AND a.subscription_id = old.subscription_id AND a.delivery_id = old.delivery_id
), gone AS (
  DELETE FROM deliveries x USING old
  WHERE x.workspace_id = old.workspace_id AND x.subscription_id = old.subscription_id AND x.delivery_id = old.delivery_id
  RETURNING 1
)
SELECT count(*)::int4 AS deleted FROM gone`;

/** Deletes ended deliveries that were created before; returns their number. */
export async function purgeDeliveries(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query<{ deleted: number }>(PURGE, [before, limit]);
  return rows[0]!.deleted;
}
