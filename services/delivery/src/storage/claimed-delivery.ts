import { ONE_BY_KEY } from "./one-by-key.ts";

export interface EndpointRef {
  workspaceId: string;
  subscriptionId: string;
}

export function endpointKey({ workspaceId, subscriptionId }: EndpointRef): string {
  return `${workspaceId} ${subscriptionId}`;
}

export interface Lease {
  leaseId: string;
  leaseUntil: Date;
}

export interface Delivery extends EndpointRef {
  deliveryId: string;
  eventId: string;
  body: string;
  /** The event's; empty: none. */
  traceparent: string;
}

export interface ClaimedDelivery extends Delivery, Lease {
  createdAt: Date;
  isRedelivery: boolean;
  attempts: number;
  /** Last known ctid of the due row. Another row may be there now. */
  duePlace?: string | undefined;
  /** The same of the delivery's row. */
  storedPlace?: string | undefined;
  /** The status column while the lease holds, which may run ahead (stored-status.ts); undefined: unknown. */
  storedAs?: string | undefined;
  /** When an attempt began whose worker died. */
  interruptedAt: Date | undefined;
}

export type ClaimedRow = Omit<ClaimedDelivery, keyof Lease | "interruptedAt"> & { interruptedAt: Date | null };

/** True for every row. Only a query that names it uses the index by scheduled time, others keep to the primary key. */
export const INDEXED = "attempts >= 0";

/** Rows of endpoint `p` with a scheduled time up to `now`: due unless leased, as no row is due before that time. */
export const SCHEDULED_UNTIL = (now: string): string =>
  `workspace_id = p.workspace_id AND subscription_id = p.subscription_id AND scheduled_at <= ${now} AND ${INDEXED}`;

/** Selects the columns of `ClaimedRow`, and `more`, for a CTE `leased`. */
export const SELECT_CLAIMED = (more = ""): string => `
SELECT leased.workspace_id AS "workspaceId", leased.subscription_id AS "subscriptionId",
  leased.delivery_id AS "deliveryId", leased.attempts, leased.begun_at AS "interruptedAt",
  leased.ctid::text AS "duePlace", x.ctid::text AS "storedPlace", x.status AS "storedAs",
  x.event_id AS "eventId", x.body, x.created_at AS "createdAt", x.traceparent, x.sequence > 0 AS "isRedelivery"${more}
FROM leased CROSS JOIN LATERAL (
  SELECT ctid, status, event_id, body, created_at, traceparent, sequence FROM deliveries
  WHERE workspace_id = leased.workspace_id AND subscription_id = leased.subscription_id
    AND ${ONE_BY_KEY("leased.delivery_id")}
) x
ORDER BY leased.delivery_id`;

/** Changes the row itself, because copies would add garbage. */
export function toClaimed<Row extends ClaimedRow>(row: Row, lease: Lease): Row & ClaimedDelivery {
  const interruptedAt = row.interruptedAt ?? undefined;
  return Object.assign(row, { leaseId: lease.leaseId, leaseUntil: lease.leaseUntil, interruptedAt });
}
