import { fromBinary } from "@bufbuild/protobuf";
import { eventTypeOf, type EventType } from "@canvass/processes/event-catalogue";
import { EventSchema, type Event } from "@canvass/proto/events";
import { isTraced, isTracing, startSpan, type Span } from "@canvass/telemetry";
import type { OutboxRow } from "./append-events.ts";
import { eventSubject } from "./bus.ts";

/** Starts a span per traced event, as a child of the write that appended it, however long delivery takes. */
export function startPublishSpans(rows: readonly OutboxRow[]): Span[] {
  if (!isTracing()) return [];
  return rows.flatMap((row) => {
    const parent = row.traceparent ?? fromBinary(EventSchema, row.payload).traceparent;
    return startEventSpan(parent, ["producer", "publish", "send"], row.type as EventType, row.eventId) ?? [];
  });
}

/** Starts a span per traced event and makes it the event's traceparent, the parent of what the event causes. */
export function startProcessSpans(events: readonly Event[], consumer: string): Span[] {
  if (!isTracing()) return [];
  return events.flatMap((event) => {
    if (!isTraced(event.traceparent)) return [];
    const span = startEventSpan(
      event.traceparent,
      ["consumer", "process", "process"],
      eventTypeOf(event),
      event.eventId,
    );
    if (!span) return [];
    span.set("messaging.consumer.group.name", consumer);
    event.traceparent = span.traceparent;
    return span;
  });
}

export function endSpans(spans: readonly Span[], errorType?: string): void {
  for (const span of spans) span.end(errorType);
}

function startEventSpan(
  parent: string,
  [kind, name, operationType]: readonly ["producer" | "consumer", string, string],
  type: EventType,
  eventId: string,
): Span | undefined {
  if (!isTraced(parent)) return undefined;
  return startSpan(parent, kind, `${name} ${type}`, {
    "messaging.system": "nats",
    "messaging.operation.name": name,
    "messaging.operation.type": operationType,
    "messaging.destination.name": eventSubject(type),
    "messaging.message.id": eventId,
  });
}
