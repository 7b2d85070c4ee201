import { ONE_BY_KEY } from "./one-by-key.ts";

/**
 * A CTE `leased`: rows of `source` that still have their lease, with the ctid (`place`) of their due row. The ordered
 * lookup avoids plans that read the whole queue. An update by ctid finds nothing if the row has changed.
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
