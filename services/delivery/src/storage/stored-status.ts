import { ONE_BY_KEY } from "./one-by-key.ts";

/** A delivery with a due row is pending. A first delivery is stored as delivered: a success then needs no update. */
export const STATUS_OF = (delivery: string, due: string): string =>
  `CASE WHEN ${due}.delivery_id IS NULL THEN ${delivery}.status ELSE 'pending' END`;

export const HAS_ENDED = (delivery: string): string => `NOT EXISTS (
    SELECT 1 FROM due_deliveries due WHERE due.workspace_id = ${delivery}.workspace_id
      AND due.subscription_id = ${delivery}.subscription_id AND due.delivery_id = ${delivery}.delivery_id)`;

/** A FROM item `x`: delivered deliveries of webhook $2, with ctid `at`. A search by status would read the queue. */
export const DELIVERED = (page: string): string => `(
  SELECT found.* FROM (
    SELECT delivery_id FROM attempts
    WHERE workspace_id = $1 AND subscription_id = $2 AND outcome = 'success' AND ${page}
  ) s CROSS JOIN LATERAL (
    SELECT ctid AS at, * FROM deliveries
    WHERE workspace_id = $1 AND subscription_id = $2 AND ${ONE_BY_KEY("s.delivery_id")}
  ) found
) x`;

/** Two CTEs that store the final statuses of `source`, whose due rows are locked. Tries the last known ctid first. */
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
