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

const consumerNames = new Set(types.flatMap((type) => definitionOf(type).consumers.map(({ consumer }) => consumer)));

test("a consumer gets the types that name it, and is among the consumers of their sources", () => {
  for (const name of consumerNames) {
    const consumed = types.filter((type) => definitionOf(type).consumers.some(({ consumer }) => consumer === name));
    expect(typesConsumedBy(name)).toEqual(consumed);
    for (const source of consumed.flatMap((type) => definitionOf(type).sources)) {
      expect(consumersOf(source).filter(({ consumer }) => consumer === name)).toHaveLength(1);
      expect(hasConsumers(source)).toBe(true);
    }
  }
  expect(typesConsumedBy("nobody")).toEqual([]);
  expect(consumersOf("nobody")).toEqual([]);
  expect(hasConsumers("nobody")).toBe(false);
});

test("consumers of a source are named with their services", () => {
  const shown = consumersOf("token").map(({ consumer, service }) => `${consumer} of ${service}`);
  expect(shown).toEqual(["plans of webhook", "plan-cancellations of delivery"]);
});

test("a consumer is run by one service, for any event types", () => {
  const entries = types.flatMap((type) => definitionOf(type).consumers);
  const entriesOf = Map.groupBy(entries, ({ consumer }) => consumer);
  const split = [...entriesOf].filter(([, each]) => new Set(each.map(({ service }) => service)).size > 1);
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
