import type { Sql } from "../sql.ts";

const BATCH = 5000;

/** Skips locked rows, so that replicas do not wait for each other. */
const PURGE = `
WITH expired AS (
  SELECT workspace_id, scope, key FROM idempotency_records
  WHERE expires_at <= $1::timestamptz ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
)
DELETE FROM idempotency_records r USING expired e
WHERE (r.workspace_id, r.scope, r.key) = (e.workspace_id, e.scope, e.key)
RETURNING 1 AS gone`;

/** Deletes expired records in batches; returns how many. Must not run in a transaction. */
export async function purgeExpiredIdempotencyRecords(sql: Sql, now: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const { length } = await sql.query(PURGE, [now]);
    total += length;
    if (length < BATCH) return total;
  }
}
