import { retryOnConflict, type Sql } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import { Gauge, type Logger, type Registry } from "@canvass/telemetry";
import { LRUCache } from "lru-cache";
import { typesHeardBy } from "./catalogue.ts";
import { isOutage } from "./outage.ts";
import {
  countPoison,
  eventOf,
  forgetPoison,
  keepPoison,
  putPoisonOff,
  retryPoisonNow,
  takeDuePoison,
  type PoisonEvent,
} from "./poison.ts";

/**
 * Stores the effect of events in one transaction of its own and resolves after its commit: with nothing when all are
 * stored, or with the ids that are; the others come again, without end. Events may come again at any time, in any
 * order, several at once: their effect must happen once (claimNewEvents, or a key made of the event id).
 * When it throws, each event is tried alone, and one that keeps failing alone becomes poison; unless the error tells of
 * an outage (an unreachable database, AppError service_unavailable, deadline_exceeded or rate_limited): then all come
 * again later.
 */
export type StoreEvents = (events: Event[]) => Promise<readonly string[] | void>;

export interface EventReceiverOptions {
  /** As the catalogue lists it. */
  consumer: string;
  /** For poison_events; outside any transaction. */
  sql: Sql;
  store: StoreEvents;
  log: Logger;
  metrics: Registry;
  now: () => Date;
  /** How often an event may fail alone before it is put aside as poison. Default 5. */
  maxAttempts?: number;
}

export interface EventReceiver {
  readonly consumer: string;
  /**
   * Stores events and returns the ids of those that are settled: the effect is committed, or the event is kept as
   * poison; either way this service's database holds it and the source may forget it. Throws on an outage.
   */
  receive(events: readonly Event[]): Promise<Set<string>>;
  /** Tries a batch of the poison that is due again; how many that were. */
  retryPoison(): Promise<number>;
  /** Makes all poison due now. */
  hurryPoison(): Promise<void>;
}

const STORE_BATCH = 500;
const POISON_BATCH = 50;

/** What a consumer does with events, whichever road they come by: startConsumer and registerEventIntake share one. */
export function createEventReceiver(options: EventReceiverOptions): EventReceiver {
  const { consumer, sql, store, log, now, maxAttempts = 5 } = options;
  if (typesHeardBy(consumer).length === 0) throw new Error(`the event catalogue lists no consumer ${consumer}`);
  const failures = new LRUCache<string, number>({ max: 10_000 });
  const gauge = poisonGauge(options.metrics);

  async function receive(events: readonly Event[]): Promise<Set<string>> {
    const distinct = [...new Map(events.map((event) => [event.eventId, event])).values()];
    const settled = new Set<string>();
    for (let start = 0; start < distinct.length; start += STORE_BATCH) {
      const batch = distinct.slice(start, start + STORE_BATCH);
      for (const eventId of await storeBatch(batch)) settled.add(eventId);
    }
    return settled;
  }

  async function storeBatch(batch: Event[]): Promise<readonly string[]> {
    if (batch.length === 1) return storeAlone(batch[0]!);
    try {
      return await storeTogether(batch);
    } catch (error) {
      if (isOutage(error)) throw error;
      log.warn({ err: error, consumer, events: batch.length }, "storing events one by one");
      const alone = [];
      for (const event of batch) alone.push(...(await storeAlone(event)));
      return alone;
    }
  }

  async function storeTogether(batch: Event[]): Promise<readonly string[]> {
    const stored = await retryOnConflict(() => store(batch));
    return stored ?? batch.map(({ eventId }) => eventId);
  }

  async function storeAlone(event: Event): Promise<readonly string[]> {
    try {
      const stored = await storeTogether([event]);
      failures.delete(event.eventId);
      return stored;
    } catch (error) {
      if (isOutage(error)) throw error;
      const attempts = (failures.get(event.eventId) ?? 0) + 1;
      failures.set(event.eventId, attempts);
      log.error({ err: error, consumer, eventId: event.eventId, attempts }, "an event could not be stored");
      if (attempts < maxAttempts) return [];
      await keepPoison(sql, consumer, event, error, now());
      await count();
      failures.delete(event.eventId);
      return [event.eventId];
    }
  }

  async function retryPoison(): Promise<number> {
    const due = await takeDuePoison(sql, consumer, now(), POISON_BATCH);
    for (const poison of due) await retryOne(poison);
    await count();
    return due.length;
  }

  async function retryOne(poison: PoisonEvent): Promise<void> {
    const event = eventOf(poison);
    try {
      if ((await storeTogether([event])).includes(event.eventId)) await forgetPoison(sql, poison);
    } catch (error) {
      if (isOutage(error)) throw error;
      await putPoisonOff(sql, poison, error, now());
    }
  }

  const count = async () => gauge.set({ consumer }, await countPoison(sql, consumer));

  return { consumer, receive, retryPoison, hurryPoison: () => retryPoisonNow(sql, consumer, now()) };
}

/** One gauge for all consumers of a process. */
function poisonGauge(metrics: Registry): Gauge<"consumer"> {
  const name = "canvass_poison_messages";
  const existing = metrics.getSingleMetric(name) as Gauge<"consumer"> | undefined;
  if (existing) return existing;
  const help = "Events put aside because they could not be stored; each is tried again with growing pauses";
  return new Gauge({ name, help, labelNames: ["consumer"], registers: [metrics] });
}
