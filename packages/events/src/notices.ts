import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { EventSchema, type Event } from "@canvass/proto/events";
import type { Bus } from "./bus.ts";
import { eventTypeOf, noticeSubject, type EventType } from "./catalogue.ts";

/** Tells an event to whoever listens at this moment. It may be lost: the listener must do without it, later. */
export function announce(bus: Bus, event: Event): void {
  bus.notify(noticeSubject(eventTypeOf(event)), toBinary(EventSchema, event));
}

/** Hears the notices of a type until disposed; every process that listens hears each. */
export function hear(bus: Bus, type: EventType, heard: (event: Event) => unknown): Disposable {
  return bus.listen(noticeSubject(type), (bytes) => heard(fromBinary(EventSchema, bytes)));
}
