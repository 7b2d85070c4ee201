import { EventSchema } from "@canvass/proto/events";
import { expect, test } from "vitest";
import {
  consumersOf,
  definitionOf,
  eventCatalogue,
  eventTypeOf,
  sourceOf,
  typesHeardBy,
  type EventType,
} from "./catalogue.ts";
import { newEvent } from "./new-event.ts";

const types = Object.keys(eventCatalogue) as EventType[];

test("every body that an event can have is one type of the catalogue", () => {
  const bodies = EventSchema.oneofs.find(({ name }) => name === "body")!.fields.map(({ localName }) => localName);
  expect(types.map((type) => definitionOf(type).bodyCase).sort()).toEqual(bodies.sort());
});

test("a consumer is run by one service, and asked for by the types that list it", () => {
  for (const type of types) {
    for (const entry of definitionOf(type).consumers) {
      expect(typesHeardBy(entry.consumer)).toContain(type);
      for (const source of definitionOf(type).sources) expect(consumersOf(source)).toContainEqual(entry);
    }
  }
});

test("the type of an event is that of its body; an event without one is refused", () => {
  const given = { workspaceId: "w", occurredAt: new Date(), body: { case: "surveyPublished", value: {} } } as const;
  expect(eventTypeOf(newEvent(given))).toBe("survey.published");
  const bodiless = { ...newEvent(given), body: { case: undefined } };
  expect(() => eventTypeOf(bodiless)).toThrow(bodiless.eventId);
});

test("an event of a type that several say names its source, and only one that says it", () => {
  const given = { workspaceId: "w", occurredAt: new Date(), body: { case: "auditRecorded", value: {} } } as const;
  expect(sourceOf(newEvent({ ...given, source: "survey" }))).toBe("survey");
  expect(() => sourceOf(newEvent(given))).toThrow("source");
  expect(() => sourceOf(newEvent({ ...given, source: "delivery" }))).toThrow("source");
  expect(sourceOf(newEvent({ ...given, body: { case: "tokenRevoked", value: {} } }))).toBe("token");
});
