import { inTransaction, type Sql } from "@canvass/postgres";
import type { Pool } from "pg";
import { INDEXED, SCHEDULED_UNTIL, type EndpointRef } from "./claimed-delivery.ts";

export interface PickOptions {
  now: Date;
  /** Endpoints to skip. */
  busy: readonly EndpointRef[];
  /** Workspaces without a free slot. */
  withoutCapacity: readonly string[];
  maxEndpoints: number;
}

export interface PickedEndpoint extends EndpointRef {
  /** Number of due deliveries; Infinity from `MANY` on. */
  due: number;
}

/** Round robin over workspaces, then over endpoints: longest unserved first. Skips rows that another pick locked. */
const PICK = `
SELECT q.workspace_id AS "workspaceId", q.subscription_id AS "subscriptionId"
FROM endpoint_queues q
JOIN (
  SELECT workspace_id, subscription_id
  FROM endpoint_queues d
  WHERE next_due_at <= $1
    AND workspace_id <> ALL($5::text[])
    AND (workspace_id, subscription_id) NOT IN (SELECT * FROM unnest($2::text[], $3::text[]))
    AND NOT EXISTS (
      SELECT 1 FROM disable_requests r
      WHERE r.workspace_id = d.workspace_id AND r.subscription_id = d.subscription_id)
  ORDER BY row_number() OVER (PARTITION BY workspace_id ORDER BY claimed_at NULLS FIRST), claimed_at NULLS FIRST
  LIMIT $4
) turn ON turn.workspace_id = q.workspace_id AND turn.subscription_id = q.subscription_id
FOR UPDATE OF q SKIP LOCKED`;

/** Asynchronous commit: a crash that loses it makes the next pick look again. */
const ASYNC_COMMIT = "SELECT set_config('synchronous_commit', 'off', true)";

/** Due rows that are counted at most: a longer queue costs no more. */
const MANY = 20;

/** `next_due_at` is now while something is due, otherwise the end of the first lease or the first future attempt. */
const LOOK = `
WITH picked AS (
  SELECT p.*, (
    SELECT count(*)::int4 FROM (
      SELECT 1 FROM due_deliveries WHERE ${SCHEDULED_UNTIL("$3")} AND due_at <= $3 ORDER BY scheduled_at LIMIT ${MANY}
    ) d
  ) AS due
  FROM unnest($1::text[], $2::text[]) AS p (workspace_id, subscription_id)
), looked AS (
  UPDATE endpoint_queues q
  SET claimed_at = $3, next_due_at = CASE WHEN p.due > 0 THEN $3 ELSE LEAST(
    (SELECT min(due_at) FROM due_deliveries WHERE ${SCHEDULED_UNTIL("$3")} AND due_at > $3),
    (SELECT scheduled_at FROM due_deliveries d
     WHERE d.workspace_id = p.workspace_id AND d.subscription_id = p.subscription_id AND d.scheduled_at > $3
       AND ${INDEXED}
     ORDER BY d.scheduled_at LIMIT 1))
    END
  FROM picked p
  WHERE q.workspace_id = p.workspace_id AND q.subscription_id = p.subscription_id
)
SELECT workspace_id AS "workspaceId", subscription_id AS "subscriptionId", due FROM picked WHERE due > 0`;

export interface PickResult {
  /** Endpoints with something due. */
  due: PickedEndpoint[];
  /** Number of endpoints that were looked at: there may be more if it is `maxEndpoints`. */
  looked: number;
}

/**
 * Picks endpoints with something due, and sets the next due time of the others. The second statement sees everything
 * queued before the locks, so `next_due_at` is never too late.
 */
export function pickEndpoints(pool: Pool, options: PickOptions): Promise<PickResult> {
  return inTransaction(pool, async (sql) => {
    const picked = await pick(sql, options);
    if (picked.length === 0) return { due: [], looked: 0 };
    const [, rows] = await Promise.all([sql.query(ASYNC_COMMIT), look(sql, picked, options.now)]);
    const due = rows.map((row) => (row.due < MANY ? row : { ...row, due: Number.POSITIVE_INFINITY }));
    return { due, looked: picked.length };
  });
}

function pick(sql: Sql, { now, busy, withoutCapacity, maxEndpoints }: PickOptions): Promise<EndpointRef[]> {
  const workspaceIds = busy.map(({ workspaceId }) => workspaceId);
  const subscriptionIds = busy.map(({ subscriptionId }) => subscriptionId);
  return sql.query(PICK, [now, workspaceIds, subscriptionIds, maxEndpoints, withoutCapacity]);
}

function look(sql: Sql, picked: readonly EndpointRef[], now: Date): Promise<PickedEndpoint[]> {
  return sql.query(LOOK, [
    picked.map(({ workspaceId }) => workspaceId),
    picked.map(({ subscriptionId }) => subscriptionId),
    now,
  ]);
}

/** Undefined if nothing is queued. */
export async function findNextDueTime(sql: Sql): Promise<Date | undefined> {
  const rows = await sql.query<{ at: Date | null }>("SELECT min(next_due_at) AS at FROM endpoint_queues");
  return rows[0]?.at ?? undefined;
}
