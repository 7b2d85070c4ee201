import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { eventTypeOf, type EventType } from "@canvass/processes/event-catalogue";
import { EventSchema, type Event } from "@canvass/proto/events";
import { type Bus, noticeSubject } from "./bus.ts";

/** Delivers at most once, to current listeners only. */
export function publishNotice(bus: Bus, event: Event): void {
  bus.notify(noticeSubject(eventTypeOf(event)), toBinary(EventSchema, event));
}

/** Every listening process gets each notice, until disposed. */
export function listenToNotices(bus: Bus, type: EventType, handle: (event: Event) => unknown): Disposable {
  return bus.listen(noticeSubject(type), (bytes) => handle(fromBinary(EventSchema, bytes)));
}
