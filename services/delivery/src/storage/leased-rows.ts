import { ONE_BY_KEY } from "./one-by-key.ts";

/**
 * A CTE `leased`: the rows of `source` that still have their lease, with the ctid of their due row (`place`). Tries the
 * last known ctid before the index. The ordered lookup prevents plans that read the whole queue because of stale
 * statistics. An update at a ctid finds nothing if another transaction took the row.
 */
export const LEASED = (source: string): string => `leased AS MATERIALIZED (
  SELECT s.*, x.place FROM ${source} s CROSS JOIN LATERAL (
    (SELECT ctid AS place, lease_id FROM due_deliveries
    WHERE ctid = s.due_place::tid AND workspace_id = s.workspace_id AND subscription_id = s.subscription_id
      AND delivery_id = s.delivery_id AND lease_id = s.lease_id)
    UNION ALL
    (SELECT ctid AS place, lease_id FROM due_deliveries
    WHERE workspace_id = s.workspace_id AND subscription_id = s.subscription_id AND ${ONE_BY_KEY("s.delivery_id")})
    LIMIT 1
  ) x
  WHERE x.lease_id = s.lease_id
)`;
