import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@canvass/inputs";
import { EventSchema, type Event } from "@canvass/proto/events";

export interface NewEvent {
  /** Default: an id of `occurredAt`. With full anonymity pass one of the day, which tells nothing more than the day. */
  eventId?: string;
  workspaceId: string;
  occurredAt: Date;
  /** The service that says it; needed only for types that several say. */
  source?: string;
  body: NonNullable<Exclude<MessageInitShape<typeof EventSchema>["body"], { case: undefined }>>;
}

/** An event as it goes into the outbox. */
export function newEvent({ eventId, workspaceId, occurredAt, source, body }: NewEvent): Event {
  return create(EventSchema, {
    eventId: eventId ?? newId(occurredAt),
    workspaceId,
    occurredAt: timestampFromDate(occurredAt),
    source: source ?? "",
    body,
  });
}
