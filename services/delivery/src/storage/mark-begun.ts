import type { Sql } from "@canvass/postgres";
import type { ClaimedDelivery } from "./claimed-delivery.ts";
import { LEASED } from "./leased-rows.ts";

/** Asynchronous commit: a crash that loses a mark causes a repeated send, never a wrong attempt. */
const MARK = `
WITH hurried AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)
), mine AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $5::text[], $6::text[]) WITH ORDINALITY
    AS m (workspace_id, delivery_id, lease_id, subscription_id, due_place, position)
), ${LEASED("mine")}
UPDATE due_deliveries d SET begun_at = $4
FROM leased, hurried
WHERE d.ctid = leased.place
RETURNING leased.position::int4, d.ctid::text AS "duePlace"`;

/** Marked attempts count if their worker dies. Returns ctids in order; undefined: the lease is lost, do not send. */
export async function markBegun(
  sql: Sql,
  deliveries: readonly ClaimedDelivery[],
  now: Date,
): Promise<(string | undefined)[]> {
  const rows = await sql.query<{ position: number; duePlace: string }>(MARK, [
    deliveries.map(({ workspaceId }) => workspaceId),
    deliveries.map(({ deliveryId }) => deliveryId),
    deliveries.map(({ leaseId }) => leaseId),
    now,
    deliveries.map(({ subscriptionId }) => subscriptionId),
    deliveries.map(({ duePlace }) => duePlace ?? null),
  ]);
  const places = new Map(rows.map(({ position, duePlace }) => [position, duePlace]));
  return deliveries.map((_, index) => places.get(index + 1));
}
