import { create, type MessageInitShape } from "@bufbuild/protobuf";
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
} from "./event-catalogue.ts";

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
  expect(services.size).toBe(11);
  const split = [...services].filter(([, each]) => new Set(each.map(({ service }) => service)).size > 1);
  expect(split).toEqual([]);
});

const surveyPublished = { case: "surveyPublished", value: {} } as const;
const auditRecorded = { case: "auditRecorded", value: {} } as const;
const tokenRevoked = { case: "tokenRevoked", value: {} } as const;

const event = (given: MessageInitShape<typeof EventSchema>) => create(EventSchema, { eventId: "e1", ...given });

test("the type of an event is that of its body; an event without one is refused", () => {
  expect(eventTypeOf(event({ body: surveyPublished }))).toBe("survey.published");
  expect(() => eventTypeOf(event({}))).toThrow("e1");
});

test("an event of a type with several sources names its own", () => {
  expect(sourceOf(event({ body: auditRecorded, source: "survey" }))).toBe("survey");
  expect(() => sourceOf(event({ body: auditRecorded }))).toThrow("source");
  expect(() => sourceOf(event({ body: auditRecorded, source: "token" }))).toThrow("source");
  expect(sourceOf(event({ body: tokenRevoked }))).toBe("token");
});
