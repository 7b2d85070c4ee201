import { ONE_BY_KEY } from "./one-by-key.ts";

/**
 * Pending is what has a due row. Most first deliveries succeed, so they are stored as delivered from the beginning: success
 * leaves their row and indexes as they are, and so does waiting for another attempt. Only another end changes it. Redeliveries are
 * stored as pending until they end, for the index that leaves one of them.
 */
export const STATUS_OF = (delivery: string, due: string): string =>
  `CASE WHEN ${due}.delivery_id IS NULL THEN ${delivery}.status ELSE 'pending' END`;

/** SQL condition. */
export const HAS_ENDED = (delivery: string): string => `NOT EXISTS (
    SELECT 1 FROM due_deliveries due WHERE due.workspace_id = ${delivery}.workspace_id
      AND due.subscription_id = ${delivery}.subscription_id AND due.delivery_id = ${delivery}.delivery_id)`;

/**
 * A FROM item `x`: deliveries of webhook $2 with their places, by the attempts that succeeded. A queue is stored as delivered, too,
 * and no plan may pass over it. `page`: which delivery ids, in which order, and how many.
 */
export const DELIVERED = (page: string): string => `(
  SELECT found.* FROM (
    SELECT delivery_id FROM attempts
    WHERE workspace_id = $1 AND subscription_id = $2 AND outcome = 'success' AND ${page}
  ) s CROSS JOIN LATERAL (
    SELECT ctid AS at, * FROM deliveries
    WHERE workspace_id = $1 AND subscription_id = $2 AND ${ONE_BY_KEY("s.delivery_id")}
  ) found
) x`;

/**
 * Two CTEs that give deliveries the statuses in which `source` ends them, whose due rows are locked, and with them these: so
 * none changes while it is leased, and `stored_as`, where it is known, tells which have them already. The row stands where the
 * claim read it, or is looked up. The order makes any plan use the primary key: equality alone ties with the unique index while
 * the table is nearly empty.
 */
export const SETTLE = (source: string): string => `other AS (
  SELECT x.place, s.status FROM ${source} s CROSS JOIN LATERAL (
    (SELECT ctid AS place, status FROM deliveries
    WHERE ctid = s.stored_place::tid AND workspace_id = s.workspace_id AND subscription_id = s.subscription_id
      AND delivery_id = s.delivery_id)
    UNION ALL
    (SELECT ctid AS place, status FROM deliveries
    WHERE workspace_id = s.workspace_id AND subscription_id = s.subscription_id AND ${ONE_BY_KEY("s.delivery_id")})
    LIMIT 1
  ) x
  WHERE s.status <> 'pending' AND s.stored_as IS DISTINCT FROM s.status AND x.status <> s.status
), settled AS (
  UPDATE deliveries x SET status = other.status FROM other WHERE x.ctid = other.place
)`;
