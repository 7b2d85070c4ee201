import { inTransaction, type Sql } from "@canvass/postgres";
import type { Pool } from "pg";
import {
  INDEXED,
  IS_PLANNED,
  SELECT_CLAIMED,
  toClaimed,
  type ClaimedDelivery,
  type ClaimedRow,
  type EndpointRef,
  type Lease,
} from "./claimed-delivery.ts";

export interface ClaimOptions extends Lease {
  now: Date;
  busy: readonly EndpointRef[];
  withoutRoom: readonly string[];
  roomOf: (endpoint: EndpointRef) => number;
  maxEndpoints: number;
}

/** Round robin over workspaces, then over endpoints: longest unserved first. Skips rows that are locked. */
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

/** Asynchronous commit: a crash that loses the lease frees the deliveries, and loses their marks as well. */
const HURRY = "SELECT set_config('synchronous_commit', 'off', true)";

/** A full claim of at least this many rows assumes that more are due: counting costs as much as another claim. */
const MANY = 20;

/** `next_due_at` is now if more may be due, else the next lease end or attempt. The row lock keeps ctid valid. */
const CLAIM = `
WITH picked AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::int[]) AS p (workspace_id, subscription_id, room)
), chosen AS (
  SELECT d.* FROM picked p
  CROSS JOIN LATERAL (
    SELECT ctid AS place, workspace_id, subscription_id FROM due_deliveries
    WHERE ${IS_PLANNED} AND due_at <= $4
    ORDER BY scheduled_at LIMIT p.room FOR UPDATE SKIP LOCKED
  ) d
), leased AS (
  UPDATE due_deliveries d
  SET due_at = $5, lease_id = $6
  FROM chosen
  WHERE d.ctid = chosen.place
  RETURNING d.workspace_id, d.subscription_id, d.delivery_id, d.attempts, d.begun_at, d.ctid
), taken AS (
  SELECT workspace_id, subscription_id, count(*) AS count FROM chosen GROUP BY workspace_id, subscription_id
), turned AS (
  UPDATE endpoint_queues q
  SET claimed_at = $4, next_due_at = CASE
    WHEN t.count >= greatest(p.room, ${MANY}) OR coalesce(t.count, 0) < (
      SELECT count(*) FROM (
        SELECT 1 FROM due_deliveries WHERE ${IS_PLANNED} AND due_at <= $4 ORDER BY scheduled_at LIMIT p.room + 1
      ) due
    ) THEN $4
    ELSE LEAST(
      CASE WHEN t.count > 0 THEN $5::timestamptz END,
      (SELECT min(due_at) FROM due_deliveries WHERE ${IS_PLANNED} AND due_at > $4),
      (SELECT scheduled_at FROM due_deliveries d
       WHERE d.workspace_id = p.workspace_id AND d.subscription_id = p.subscription_id AND d.scheduled_at > $4
         AND ${INDEXED}
       ORDER BY d.scheduled_at LIMIT 1))
    END
  FROM picked p
  LEFT JOIN taken t ON t.workspace_id = p.workspace_id AND t.subscription_id = p.subscription_id
  WHERE q.workspace_id = p.workspace_id AND q.subscription_id = p.subscription_id
)
${SELECT_CLAIMED()}`;

/** The statement after the locks sees everything that was queued before, so `next_due_at` is never too late. */
export function claimDeliveries(pool: Pool, options: ClaimOptions): Promise<ClaimedDelivery[]> {
  return inTransaction(pool, async (sql) => {
    const endpoints = await pickEndpoints(sql, options);
    if (endpoints.length === 0) return [];
    const [, rows] = await Promise.all([sql.query(HURRY), claim(sql, endpoints, options)]);
    return rows.map((row) => toClaimed(row, options));
  });
}

function claim(sql: Sql, endpoints: readonly EndpointRef[], options: ClaimOptions): Promise<ClaimedRow[]> {
  return sql.query<ClaimedRow>(CLAIM, [
    endpoints.map(({ workspaceId }) => workspaceId),
    endpoints.map(({ subscriptionId }) => subscriptionId),
    endpoints.map(options.roomOf),
    options.now,
    options.leaseUntil,
    options.leaseId,
  ]);
}

function pickEndpoints(sql: Sql, { now, busy, withoutRoom, maxEndpoints }: ClaimOptions): Promise<EndpointRef[]> {
  const workspaceIds = busy.map(({ workspaceId }) => workspaceId);
  return sql.query(PICK, [
    now,
    workspaceIds,
    busy.map(({ subscriptionId }) => subscriptionId),
    maxEndpoints,
    withoutRoom,
  ]);
}

export async function findNextDueTime(sql: Sql): Promise<Date | undefined> {
  const rows = await sql.query<{ at: Date | null }>("SELECT min(next_due_at) AS at FROM endpoint_queues");
  return rows[0]?.at ?? undefined;
}
