import { isConflict, isUniqueViolation, retryOnConflict, type Sql } from "@canvass/postgres";
import { typesConsumedBy } from "@canvass/processes/event-catalogue";
import type { Event } from "@canvass/proto/events";
import { errorType, Gauge, type Logger, type Registry } from "@canvass/telemetry";
import { LRUCache } from "lru-cache";
import { endSpans, startProcessSpans } from "./event-spans.ts";
import { isOutage } from "./outage.ts";
import {
  countPoison,
  eventOf,
  deletePoison,
  insertPoison,
  postponePoison,
  makePoisonDue,
  claimDuePoison,
  type PoisonEvent,
} from "./poison.ts";

/**
 * Stores the effect of events. Returns the ids of the stored ones, or undefined for all; the others are redelivered.
 * Events may arrive more than once, in any order, concurrently, but must take effect once (inbox.ts).
 */
export type StoreEvents = (events: Event[]) => Promise<readonly string[] | void>;

export interface EventReceiverOptions {
  consumer: string;
  sql: Sql;
  store: StoreEvents;
  log: Logger;
  metrics: Registry;
  now: () => Date;
  /** Failures of a single event before it becomes poison. Default 5. */
  maxAttempts?: number;
}

export interface EventReceiver {
  readonly consumer: string;
  /**
   * Returns the ids of events whose effect is committed or that are stored as poison. Throws on an outage, also without
   * events: services ask so before a change that needs this one.
   */
  receive(events: readonly Event[]): Promise<Set<string>>;
  /** Retries poison events that are due, and returns their number. */
  retryPoison(): Promise<number>;
  makePoisonDue(): Promise<void>;
}

const STORE_BATCH = 500;
const POISON_BATCH = 50;

const isRace = (error: unknown) => isConflict(error) || isUniqueViolation(error);

export function createEventReceiver(options: EventReceiverOptions): EventReceiver {
  const { consumer, sql, store, log, now, maxAttempts = 5 } = options;
  if (typesConsumedBy(consumer).length === 0) throw new Error(`the event catalogue lists no consumer ${consumer}`);
  const failures = new LRUCache<string, number>({ max: 10_000 });
  const gauge = poisonGauge(options.metrics);

  async function receive(events: readonly Event[]): Promise<Set<string>> {
    if (events.length === 0) await sql.query("SELECT 1");
    const distinct = [...new Map(events.map((event) => [event.eventId, event])).values()];
    const spans = startProcessSpans(distinct, consumer);
    try {
      const storedIds = await storeAll(distinct);
      endSpans(spans);
      return storedIds;
    } catch (error) {
      endSpans(spans, errorType(error));
      throw error;
    }
  }

  async function storeAll(events: Event[]): Promise<Set<string>> {
    const storedIds = new Set<string>();
    for (let start = 0; start < events.length; start += STORE_BATCH) {
      const batch = events.slice(start, start + STORE_BATCH);
      for (const eventId of await storeBatch(batch)) storedIds.add(eventId);
    }
    return storedIds;
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
    const stored = await retryOnConflict(() => store(batch), isRace);
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
      await insertPoison(sql, consumer, event, error, now());
      await count();
      failures.delete(event.eventId);
      return [event.eventId];
    }
  }

  async function retryPoison(): Promise<number> {
    const due = await claimDuePoison(sql, consumer, now(), POISON_BATCH);
    for (const poison of due) await retryOne(poison);
    await count();
    return due.length;
  }

  async function retryOne(poison: PoisonEvent): Promise<void> {
    const event = eventOf(poison);
    try {
      if ((await storeTogether([event])).includes(event.eventId)) await deletePoison(sql, poison);
    } catch (error) {
      if (isOutage(error)) throw error;
      await postponePoison(sql, poison, error, now());
    }
  }

  const count = async () => gauge.set({ consumer }, await countPoison(sql, consumer));

  return { consumer, receive, retryPoison, makePoisonDue: () => makePoisonDue(sql, consumer, now()) };
}

function poisonGauge(metrics: Registry): Gauge<"consumer"> {
  const name = "canvass_poison_messages";
  const existing = metrics.getSingleMetric(name) as Gauge<"consumer"> | undefined;
  if (existing) return existing;
  const help = "Events put aside because they could not be stored; each is tried again with growing pauses";
  return new Gauge({ name, help, labelNames: ["consumer"], registers: [metrics] });
}
