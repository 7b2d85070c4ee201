import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@canvass/values";
import { EventSchema, type Event } from "@canvass/proto/events";

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
