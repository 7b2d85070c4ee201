import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { eventTypeOf, type EventType } from "@canvass/processes/event-catalogue";
import { EventSchema, type Event } from "@canvass/proto/events";
import type { Bus } from "./bus.ts";
import { noticeSubject } from "./subjects.ts";

/** Reaches present listeners at most once. */
export function publishNotice(bus: Bus, event: Event): void {
  bus.notify(noticeSubject(eventTypeOf(event)), toBinary(EventSchema, event));
}

/** Until disposed. Every listening process gets each notice. */
export function listenToNotices(bus: Bus, type: EventType, handle: (event: Event) => unknown): Disposable {
  return bus.listen(noticeSubject(type), (bytes) => handle(fromBinary(EventSchema, bytes)));
}
