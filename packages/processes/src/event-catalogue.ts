import type { Event } from "@canvass/proto/events";

type BodyCase = NonNullable<Event["body"]["case"]>;

export interface Consumer {
  /** Name of the durable consumer, also in the outbox's column `awaiting` and in confirmations. */
  consumer: string;
  service: string;
  /** The effect is not urgent: the consumer lingers for larger batches and leaves resources to urgent ones. */
  lowPriority?: true;
}

interface EventDefinition {
  bodyCase: BodyCase;
  /** Shown in the README; absent if nothing publishes the event yet. */
  when?: string;
  /** If there are several, each event names its source. */
  sources: readonly string[];
  /** Each consumer receives every event at least once. */
  consumers: readonly Consumer[];
  /** Gateways listen too, without delivery guarantee. */
  notice?: true;
}

/** Every event: who publishes it when, and who consumes it. The README shows it as a table. */
export const eventCatalogue = {
  "response.completed": {
    bodyCase: "responseCompleted",
    when: "a respondent completes, once; never for test tokens",
    sources: ["response"],
    consumers: [
      { consumer: "feed", service: "webhook", lowPriority: true },
      { consumer: "deliveries", service: "delivery" },
      { consumer: "response-counts", service: "survey", lowPriority: true },
    ],
  },
  "response.erased": {
    bodyCase: "responseErased",
    when: "a respondent is erased that had completed; never for test tokens",
    sources: ["response"],
    consumers: [{ consumer: "response-counts", service: "survey" }],
  },
  "responses.imported": {
    bodyCase: "responsesImported",
    when: "completed respondents are imported, some rows at a time; never for test tokens",
    sources: ["response"],
    consumers: [{ consumer: "response-counts", service: "survey", lowPriority: true }],
  },
  "survey.published": {
    bodyCase: "surveyPublished",
    when: "a version is published",
    sources: ["survey"],
    consumers: [],
  },
  "subscription.changed": {
    bodyCase: "subscriptionChanged",
    when: "created, changed, paused, resumed, disabled, deleted, or its secret replaced",
    sources: ["webhook"],
    consumers: [
      { consumer: "webhook-changes", service: "delivery" },
      // For webhook services of version 0.1.0, whose events wait for it.
      { consumer: "subscription-changes", service: "delivery" },
    ],
  },
  "token.revoked": {
    bodyCase: "tokenRevoked",
    when: "revoked, rotated or changed",
    sources: ["token"],
    consumers: [],
    notice: true,
  },
  "workspace.plan_changed": {
    bodyCase: "workspacePlanChanged",
    when: "an operator moved a workspace to another plan",
    sources: ["token"],
    notice: true,
    consumers: [
      { consumer: "plans", service: "webhook" },
      { consumer: "plan-cancellations", service: "delivery" },
    ],
  },
  "membership.changed": {
    bodyCase: "membershipChanged",
    when: "a person's role changed",
    sources: ["token"],
    consumers: [],
    notice: true,
  },
  "distributor.changed": { bodyCase: "distributorChanged", sources: ["distribution"], consumers: [] },
  "contact.anonymized": {
    bodyCase: "contactAnonymized",
    when: "everything personal of a contact was erased",
    sources: ["distribution"],
    consumers: [{ consumer: "contact-erasures", service: "response" }],
  },
  "contact.erased": {
    bodyCase: "contactErased",
    when: "the answers of an anonymized contact were erased",
    sources: ["response"],
    consumers: [{ consumer: "erasure-receipts", service: "distribution" }],
  },
  "collecting.changed": {
    bodyCase: "collectingChanged",
    when: "how a survey or link collects was changed, or contacts were anonymized or deleted",
    sources: ["survey", "distribution"],
    consumers: [{ consumer: "collecting", service: "response" }],
  },
  // The token service writes its own changes to its audit log directly.
  "audit.recorded": {
    bodyCase: "auditRecorded",
    when: "a person, or the platform by itself, changed something there, in the transaction of the change",
    sources: ["survey", "response", "distribution", "webhook", "delivery"],
    consumers: [{ consumer: "audit", service: "token" }],
  },
  "notification.requested": {
    bodyCase: "notificationRequested",
    when: "owners and admins must be told by mail",
    sources: ["webhook"],
    consumers: [{ consumer: "mails", service: "token" }],
  },
} as const satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof eventCatalogue;

const types = Object.keys(eventCatalogue) as EventType[];
const typeByBody = new Map<BodyCase, EventType>(types.map((type) => [eventCatalogue[type].bodyCase, type]));

export function eventTypeOf(event: Event): EventType {
  const type = event.body.case && typeByBody.get(event.body.case);
  if (!type) throw new Error(`event ${event.eventId} has no body that the catalogue knows`);
  return type;
}

export function definitionOf(type: EventType): EventDefinition {
  return eventCatalogue[type];
}

export function isNotice(event: Event): boolean {
  return definitionOf(eventTypeOf(event)).notice === true;
}

/** Returns the service that publishes an event. Throws if it is missing or not a source of the type. */
export function sourceOf(event: Event): string {
  const { sources } = definitionOf(eventTypeOf(event));
  const source = event.source || (sources.length === 1 ? sources[0] : undefined);
  if (source && sources.includes(source)) return source;
  throw new Error(`event ${event.eventId} does not name its source`);
}

/** Consumers of each type that the source publishes. */
export function consumersByType(source: string): (readonly Consumer[])[] {
  const definitions = types.map(definitionOf).filter((definition) => definition.sources.includes(source));
  return definitions.map(({ consumers }) => consumers);
}

export function consumersOf(source: string): Consumer[] {
  const consumers = consumersByType(source).flat();
  return [...new Map(consumers.map((entry) => [entry.consumer, entry])).values()];
}

/** A source without consumers has no outbox. */
export function hasConsumers(source: string): boolean {
  return consumersOf(source).length > 0;
}

export function isLowPriority(consumer: string, type: EventType): boolean {
  return definitionOf(type).consumers.some((entry) => entry.consumer === consumer && entry.lowPriority === true);
}

export function typesConsumedBy(consumer: string): EventType[] {
  return types.filter((type) => definitionOf(type).consumers.some((entry) => entry.consumer === consumer));
}

type Catalogue = typeof eventCatalogue;

export type ConsumingService<Source extends string> = {
  [Type in EventType]: Source extends Catalogue[Type]["sources"][number]
    ? Catalogue[Type]["consumers"][number]["service"]
    : never;
}[EventType];
