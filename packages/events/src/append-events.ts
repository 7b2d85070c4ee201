import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { sendAll, type Sql, type Statement } from "@canvass/postgres";
import { definitionOf, eventTypeOf, sourceOf } from "@canvass/processes/event-catalogue";
import { EventSchema, type Event } from "@canvass/proto/events";
import { newId } from "@canvass/values";

export interface NewEvent {
  /** Default: made from `occurredAt`. For full anonymity, pass an id made from the day. */
  eventId?: string;
  workspaceId: string;
  occurredAt: Date;
  /** Trace of the write. If absent, the transaction that publishes the event may add its own. */
  traceparent?: string | undefined;
  /** Needed only for types with several sources. */
  source?: string;
  body: NonNullable<Exclude<MessageInitShape<typeof EventSchema>["body"], { case: undefined }>>;
}

export function newEvent({ eventId, workspaceId, occurredAt, traceparent, source, body }: NewEvent): Event {
  return create(EventSchema, {
    eventId: eventId ?? newId(occurredAt),
    workspaceId,
    occurredAt: timestampFromDate(occurredAt),
    source: source ?? "",
    traceparent: traceparent ?? "",
    body,
  });
}

/** Largest event in bytes. An RPC can carry it; NATS accepts only a quarter by default. */
export const LARGEST_EVENT = 4 * 2 ** 20;

/** Inserts events, in the transaction of their write. Throws for one without time or source, or above LARGEST_EVENT. */
export async function appendEvents(sql: Sql, events: readonly Event[]): Promise<void> {
  await sendAll(sql, eventStatements(events));
}

/** Returns the statement of appendEvents, or none if no event has a consumer. Throws the same errors. */
export function eventStatements(events: readonly Event[]): Statement[] {
  const rows = events.map(toRow).filter(({ awaiting }) => awaiting !== "");
  if (rows.length === 0) return [];
  const text = `INSERT INTO outbox_events (event_id, workspace_id, type, payload, occurred_at, awaiting)
     SELECT event_id, workspace_id, type, decode(payload, 'base64'), occurred_at, string_to_array(awaiting, ',')
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[])
       AS new(event_id, workspace_id, type, payload, occurred_at, awaiting)`;
  const params = [
    rows.map(({ eventId }) => eventId),
    rows.map(({ workspaceId }) => workspaceId),
    rows.map(({ type }) => type),
    rows.map(({ payload }) => payload),
    rows.map(({ occurredAt }) => occurredAt),
    rows.map(({ awaiting }) => awaiting),
  ];
  return [{ text, params }];
}

/** Returns the rows that `appendEvents` inserts, for the relay: it leaves out events without consumers. */
export function outboxRows(events: readonly Event[]): OutboxRow[] {
  return events.filter(isAwaited).map((event) => {
    const { eventId, traceparent } = event;
    return { eventId, type: eventTypeOf(event), payload: toBinary(EventSchema, event), traceparent };
  });
}

function isAwaited(event: Event): boolean {
  return definitionOf(eventTypeOf(event)).consumers.length > 0;
}

function toRow(event: Event) {
  const type = eventTypeOf(event);
  if (!event.occurredAt) throw new Error(`event ${event.eventId} has no time`);
  // Throws if the source is missing: the event would never be confirmed.
  sourceOf(event);
  const payload = toBinary(EventSchema, event);
  if (payload.length > LARGEST_EVENT) throw new Error(`event ${event.eventId} has ${payload.length} bytes`);
  return {
    eventId: event.eventId,
    workspaceId: event.workspaceId,
    type,
    // Base64, because both database adapters support arrays of text.
    payload: Buffer.from(payload).toString("base64"),
    occurredAt: timestampDate(event.occurredAt).toISOString(),
    awaiting: definitionOf(type)
      .consumers.map(({ consumer }) => consumer)
      .join(","),
  };
}

export interface OutboxRow {
  eventId: string;
  type: string;
  payload: Uint8Array;
  /** Trace of the event. If absent, it is read from the payload. */
  traceparent?: string;
}
