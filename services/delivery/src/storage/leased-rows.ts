import { ONE_BY_KEY } from "./one-by-key.ts";

/**
 * A CTE `leased`: the rows of `source` whose due row has their lease, with its place. It mostly stands where it was last
 * seen, which spares a walk through the index. The ordered look-up for each other row leaves
 * a plan no other way: with statistics from when the queue was short it would read the whole queue and compare. Who changes or
 * deletes a row at its place finds nothing when another took it meanwhile.
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
