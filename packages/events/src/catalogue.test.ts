import { EventSchema } from "@canvass/proto/events";
import { expect, test } from "vitest";
import {
  consumersOf,
  definitionOf,
  eventCatalogue,
  eventTypeOf,
  hasConsumers,
  sourceOf,
  typesConsumedBy,
  type EventType,
} from "./catalogue.ts";
import { newEvent } from "./new-event.ts";

const types = Object.keys(eventCatalogue) as EventType[];

test("every body that an event can have is one type of the catalogue", () => {
  const bodies = EventSchema.oneofs.find(({ name }) => name === "body")!.fields.map(({ localName }) => localName);
  expect(types.map((type) => definitionOf(type).bodyCase).sort()).toEqual(bodies.sort());
});

test.each([
  [
    "response",
    [
      "feed of webhook",
      "deliveries of delivery",
      "response-counts of survey",
      "erasure-receipts of distribution",
      "audit of token",
    ],
  ],
  ["token", ["plans of webhook", "plan-cancellations of delivery"]],
  ["survey", ["collecting of response", "audit of token"]],
  ["webhook", ["subscription-changes of delivery", "audit of token", "mails of token"]],
  ["distribution", ["contact-erasures of response", "collecting of response", "audit of token"]],
  ["delivery", ["audit of token"]],
])("what the %s service publishes is consumed by %j", (source, expected) => {
  expect(consumersOf(source).map(({ consumer, service }) => `${consumer} of ${service}`)).toEqual(expected);
  expect(hasConsumers(source)).toBe(expected.length > 0);
});

test.each([
  ["feed", ["response.completed"]],
  ["deliveries", ["response.completed"]],
  ["response-counts", ["response.completed", "response.erased"]],
  ["subscription-changes", ["subscription.changed"]],
  ["contact-erasures", ["contact.anonymized"]],
  ["erasure-receipts", ["contact.erased"]],
  ["collecting", ["collecting.changed"]],
  ["plans", ["workspace.plan_changed"]],
  ["plan-cancellations", ["workspace.plan_changed"]],
  ["audit", ["audit.recorded"]],
  ["mails", ["notification.requested"]],
  ["nobody", []],
])("the consumer %s gets %j", (consumer, expected) => {
  expect(typesConsumedBy(consumer)).toEqual(expected);
});

test("a consumer is run by one service, whatever types it consumes", () => {
  const entries = types.flatMap((type) => definitionOf(type).consumers);
  const services = Map.groupBy(entries, ({ consumer }) => consumer);
  expect(services.size).toBe(10);
  const split = [...services].filter(([, each]) => new Set(each.map(({ service }) => service)).size > 1);
  expect(split).toEqual([]);
});

test("the type of an event is that of its body; an event without one is refused", () => {
  const given = { workspaceId: "w", occurredAt: new Date(), body: { case: "surveyPublished", value: {} } } as const;
  expect(eventTypeOf(newEvent(given))).toBe("survey.published");
  const bodiless = { ...newEvent(given), body: { case: undefined } };
  expect(() => eventTypeOf(bodiless)).toThrow(bodiless.eventId);
});

test("an event of a type with several sources names its own", () => {
  const given = { workspaceId: "w", occurredAt: new Date(), body: { case: "auditRecorded", value: {} } } as const;
  expect(sourceOf(newEvent({ ...given, source: "survey" }))).toBe("survey");
  expect(() => sourceOf(newEvent(given))).toThrow("source");
  expect(() => sourceOf(newEvent({ ...given, source: "token" }))).toThrow("source");
  expect(sourceOf(newEvent({ ...given, body: { case: "tokenRevoked", value: {} } }))).toBe("token");
});
