import { fromBinary } from "@bufbuild/protobuf";
import { EventSchema, type AuditRecorded, type Event } from "@canvass/proto/events";

type Query = (text: string, params?: unknown[]) => Promise<unknown[]>;

/**
 * What waits in a service's outbox, in its order. Events of one time are ordered by the age of their transactions: ids
 * of a clock that stands have no order when something else made one meanwhile, and a row that was tried to be published
 * has a new transaction. Default: of all workspaces.
 */
export async function publishedEvents(sql: Query, workspaceId?: string): Promise<Event[]> {
  const text = `SELECT payload FROM outbox_events WHERE workspace_id = coalesce($1, workspace_id)
    ORDER BY occurred_at, age(xmin) DESC, event_id`;
  const rows = (await sql(text, [workspaceId ?? null])) as { payload: Uint8Array }[];
  return rows.map(({ payload }) => fromBinary(EventSchema, new Uint8Array(payload)));
}

/** What waits there for the audit log. */
export async function auditEntries(sql: Query, workspaceId?: string): Promise<AuditRecorded[]> {
  const events = await publishedEvents(sql, workspaceId);
  return events.flatMap(({ body }) => (body.case === "auditRecorded" ? [body.value] : []));
}
