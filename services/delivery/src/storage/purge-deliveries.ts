import type { Sql } from "@canvass/postgres";
import { HAS_ENDED } from "./stored-status.ts";

/** Reads rows created after $1, oldest first and with ties. Deletes the ended ones with their attempts. */
const BATCH = `
WITH batch AS MATERIALIZED (
  SELECT workspace_id, subscription_id, delivery_id, created_at FROM deliveries
  WHERE created_at > $1 AND created_at < $2 AND status <> 'pending'
  ORDER BY created_at FETCH FIRST $3 ROWS WITH TIES
), old AS MATERIALIZED (
  SELECT * FROM batch x WHERE ${HAS_ENDED("x")}
), unlogged AS (
  DELETE FROM attempts a USING old
  WHERE a.workspace_id = old.workspace_id AND a.subscription_id = old.subscription_id AND a.delivery_id = old.delivery_id
), gone AS (
  DELETE FROM deliveries x USING old
  WHERE x.workspace_id = old.workspace_id AND x.subscription_id = old.subscription_id AND x.delivery_id = old.delivery_id
  RETURNING 1
)
SELECT (SELECT count(*) FROM gone)::int4 AS deleted, count(*)::int4 AS read, max(created_at) AS "lastAt" FROM batch`;

type Batch = { deleted: number; read: number; lastAt: Date | null };

const HOUR_MS = 3_600_000;
/** Batches per round. More would delay the other purges. */
const MAX_BATCHES = 50;
const EPOCH = new Date(0);

/** Pending deliveries would block the scan, so it continues after them and starts over when an hour has passed. */
export function createDeliveriesPurge(): (sql: Sql, before: Date, limit: number) => Promise<number> {
  let seenUntil = EPOCH;
  let walkBefore = EPOCH;
  let atEnd = true;

  return async (sql, before, limit) => {
    if (atEnd && Math.abs(before.getTime() - walkBefore.getTime()) >= HOUR_MS) {
      seenUntil = EPOCH;
      walkBefore = before;
    }
    let deleted = 0;
    for (let batches = 0; batches < MAX_BATCHES && deleted < limit; batches++) {
      const [batch] = await sql.query<Batch>(BATCH, [seenUntil, before, limit]);
      deleted += batch!.deleted;
      seenUntil = batch!.lastAt ?? seenUntil;
      atEnd = batch!.read < limit;
      if (atEnd) break;
    }
    return deleted;
  };
}
