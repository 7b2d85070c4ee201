export { auditEvent, platformAuditEvent, type AuditedChange, type AuditedState } from "./audit-event.ts";
export { connectBus, type Bus, type BusOptions } from "./bus.ts";
export { changedParts } from "./changed-parts.ts";
export { connectIntakes, type EventIntakes } from "./connect-intakes.ts";
export { registerBusMetrics, registerConsumerLag } from "./consumer-metrics.ts";
export { startConsumer, type ConsumerOptions } from "./consumer.ts";
export {
  createEventReceiver,
  type EventReceiver,
  type EventReceiverOptions,
  type StoreEvents,
} from "./event-receiver.ts";
export { busEnvironment, openEventBus } from "./event-bus.ts";
export { claimNewEvents, purgeConsumedEvents } from "./inbox.ts";
export { externalEvent, externalEventBody, type ExternalEvent } from "./external-event.ts";
export { registerEventIntake } from "./intake.ts";
export { newEvent, type NewEvent } from "./new-event.ts";
export { publishNotice, listenToNotices } from "./notices.ts";
export { appendEvents, eventStatements, repairOutbox, unconfirmedEvents } from "./outbox.ts";
export { makePoisonDue, repairPoison } from "./poison.ts";
export { startOutbox, type Outbox, type OutboxOptions } from "./start-outbox.ts";
export type { StreamSettings } from "./streams.ts";
export { eventSubject } from "./streams.ts";
