import type { Sql } from "@canvass/postgres";

/** The longest wait of a row by its number of attempts ($3, in milliseconds); none before the first attempt. */
const WAIT = `make_interval(secs => coalesce(($3::float8[])[attempts], 0) / 1000)`;
const HOLD = `CASE WHEN lease_id IS NULL THEN ${WAIT} ELSE make_interval(secs => $2::float8 / 1000) END`;
/** The same for `scheduled_at`: a leased row was due already. */
const REST = `CASE WHEN lease_id IS NULL THEN ${WAIT} ELSE interval '0' END`;

const REPAIR = `
WITH late AS MATERIALIZED (
  SELECT ctid AS place FROM due_deliveries
  WHERE due_at > $1::timestamptz + ${HOLD} OR scheduled_at > $1::timestamptz + ${REST} OR begun_at > $1::timestamptz
  FOR UPDATE SKIP LOCKED
)
UPDATE due_deliveries d SET
  due_at = least(due_at, $1::timestamptz + ${HOLD}), scheduled_at = least(scheduled_at, $1::timestamptz + ${REST}),
  begun_at = CASE WHEN begun_at IS NOT NULL THEN least(begun_at, $1::timestamptz) END
FROM late WHERE d.ctid = late.place`;

/** Makes queues due at once, and sets claim times in the future to now: they would delay a queue's turn. */
const LOOK = `
WITH late AS MATERIALIZED (
  SELECT workspace_id, subscription_id FROM endpoint_queues
  WHERE next_due_at > $1::timestamptz OR claimed_at > $1::timestamptz
  ORDER BY workspace_id, subscription_id FOR UPDATE
)
UPDATE endpoint_queues q SET
  next_due_at = CASE WHEN next_due_at IS NOT NULL THEN least(next_due_at, $1::timestamptz) END,
  claimed_at = CASE WHEN claimed_at IS NOT NULL THEN least(claimed_at, $1::timestamptz) END
FROM late WHERE q.workspace_id = late.workspace_id AND q.subscription_id = late.subscription_id`;

export interface LongestTimes {
  leaseMs: number;
  waitsMs: readonly number[];
}

/** After the clock was set back: no delivery waits longer than its lease or the wait after its last attempt. */
export async function repairDueTimes(sql: Sql, now: Date, { leaseMs, waitsMs }: LongestTimes): Promise<void> {
  await sql.query(REPAIR, [now, leaseMs, waitsMs]);
  await sql.query(LOOK, [now]);
}
