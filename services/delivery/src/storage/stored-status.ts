/**
 * What is under way is rarely read, and mostly succeeds: a first delivery that is sent as it is queued is stored as
 * delivered from the beginning, so that success leaves its row and indexes as they are. Another outcome changes that, and
 * so does giving it back. Pending is what has a due row.
 */
export const STATUS_OF = (delivery: string, due: string): string =>
  `CASE WHEN ${due}.delivery_id IS NULL THEN ${delivery}.status ELSE 'pending' END`;

/** SQL condition. */
export const HAS_ENDED = (delivery: string): string => `NOT EXISTS (
    SELECT 1 FROM due_deliveries due WHERE due.workspace_id = ${delivery}.workspace_id
      AND due.subscription_id = ${delivery}.subscription_id AND due.delivery_id = ${delivery}.delivery_id)`;

/**
 * Two CTEs that give deliveries the statuses that `source` holds, whose due rows are locked, and with them these: so none
 * changes while it is leased, and `stored_as`, where it is known, tells which have them already. The row stands where the
 * claim read it, or is looked up. The order makes any plan use the primary key: equality alone ties with the unique index while the table is nearly empty.
 */
export const SETTLE = (source: string): string => `other AS (
  SELECT x.place, s.status FROM ${source} s CROSS JOIN LATERAL (
    (SELECT ctid AS place, status FROM deliveries
    WHERE ctid = s.stored_place::tid AND workspace_id = s.workspace_id AND subscription_id = s.subscription_id
      AND delivery_id = s.delivery_id)
    UNION ALL
    (SELECT place, status FROM (
      SELECT ctid AS place, delivery_id, status FROM deliveries
      WHERE workspace_id = s.workspace_id AND subscription_id = s.subscription_id AND delivery_id >= s.delivery_id
      ORDER BY delivery_id LIMIT 1
    ) found WHERE delivery_id = s.delivery_id)
    LIMIT 1
  ) x
  WHERE s.stored_as IS DISTINCT FROM s.status AND x.status <> s.status
), settled AS (
  UPDATE deliveries x SET status = other.status FROM other WHERE x.ctid = other.place
)`;
