import { fromBinary } from "@bufbuild/protobuf";
import { EventSchema, type AuditRecorded, type Event } from "@canvass/proto/events";

type Query = (text: string, params?: unknown[]) => Promise<unknown[]>;

/**
 * Returns the events in a service's outbox, whether published or not, in their order; by default of all workspaces. Events of
 * one time are ordered by the age of their transactions, because ids of one millisecond are in order only if no other time's
 * id was made between them. A row that was updated since, as by a relay, counts as newer.
 */
export async function outboxEvents(sql: Query, workspaceId?: string): Promise<Event[]> {
  const text = `SELECT payload FROM outbox_events WHERE workspace_id = coalesce($1, workspace_id)
    ORDER BY occurred_at, age(xmin) DESC, event_id`;
  const rows = (await sql(text, [workspaceId ?? null])) as { payload: Uint8Array }[];
  return rows.map(({ payload }) => fromBinary(EventSchema, new Uint8Array(payload)));
}

/** Returns the audit entries in a service's outbox. */
export async function auditEntries(sql: Query, workspaceId?: string): Promise<AuditRecorded[]> {
  const events = await outboxEvents(sql, workspaceId);
  return events.flatMap(({ body }) => (body.case === "auditRecorded" ? [body.value] : []));
}
