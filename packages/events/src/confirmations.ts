import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { inTransaction, retryOnConflict } from "@canvass/postgres";
import { consumersByType, sourceOf } from "@canvass/processes/event-catalogue";
import { EventsConfirmedSchema, type Event } from "@canvass/proto/events";
import type { Logger } from "@canvass/telemetry";
import type { Pool } from "pg";
import { type Bus, confirmSubject } from "./bus.ts";
import { startLoop } from "@canvass/jobs";
import { applyOutboxSettings } from "./outbox.ts";

/** Confirms stored events to their sources, one message per source. The sweep makes up for lost messages. */
export function sendConfirmations(bus: Bus, consumer: string, events: readonly Event[]): void {
  for (const [source, ofSource] of Map.groupBy(events, sourceOf)) {
    const eventIds = ofSource.map(({ eventId }) => eventId);
    bus.notify(
      confirmSubject(source),
      toBinary(EventsConfirmedSchema, create(EventsConfirmedSchema, { consumer, eventIds })),
    );
  }
}

export interface ConfirmationsOptions {
  source: string;
  pool: Pool;
  bus: Bus;
  log: Logger;
}

const FLUSH_MS = 100;
/** How long to wait for the other consumers' confirmations, so that most events cost one DELETE. */
const LINGER_MS = 2000;
const MAX_IDS = 5000;

/** Applies confirmations to the outbox, many per statement. Disposing applies those already received. */
export function startConfirmations({ source, pool, bus, log }: ConfirmationsOptions): AsyncDisposable {
  const consumersOfTypes = consumersByType(source).map((all) => new Set(all.map(({ consumer }) => consumer)));
  const collected = createConfirmationBuffer(consumersOfTypes);
  const listening = bus.listen(
    confirmSubject(source),
    (bytes) => {
      const { consumer, eventIds } = fromBinary(EventsConfirmedSchema, bytes);
      if (!consumersOfTypes.some((all) => all.has(consumer))) return;
      collected.add(consumer, eventIds);
      loop.nudge();
    },
    // Each confirmation goes to one replica of the source.
    { queue: source },
  );

  async function flush(lingerMs: number): Promise<number> {
    for (const { consumers, eventIds } of collected.take(lingerMs)) {
      for (let start = 0; start < eventIds.length; start += MAX_IDS) {
        await confirmEvents(pool, eventIds.slice(start, start + MAX_IDS), consumers);
      }
    }
    return collected.size > 0 ? LINGER_MS / 2 : 60_000;
  }

  const loop = startLoop({
    round: () => flush(LINGER_MS),
    minGapMs: FLUSH_MS,
    onFailure: (error, inARow) => {
      if (inARow === 1)
        log.warn({ err: error }, "confirmations of events were not applied; they will be asked for again");
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      listening[Symbol.dispose]();
      await loop[Symbol.asyncDispose]();
      await flush(0).catch((error: unknown) => log.warn({ err: error }, "the last confirmations were not applied"));
    },
  };
}

interface Confirmed {
  consumers: string[];
  eventIds: string[];
}

/**
 * Collects confirmations by event. `consumersOfTypes`: the consumers of each type that the events may have. An event is
 * complete when those that have confirmed it are the consumers of a type, and no type has them and others.
 */
export function createConfirmationBuffer(
  consumersOfTypes: readonly ReadonlySet<string>[],
  clock: () => number = () => performance.now(),
) {
  const partly = new Map<string, { since: number; consumers: Set<string> }>();
  let complete = new Map<string, Confirmed>();

  const isComplete = (consumers: ReadonlySet<string>): boolean =>
    !consumersOfTypes.some((all) => all.size > consumers.size && [...consumers].every((one) => all.has(one)));

  /** Groups events by their consumers, since a statement confirms those of a group. */
  function addTo(groups: Map<string, Confirmed>, eventId: string, consumers: ReadonlySet<string>): void {
    const names = [...consumers].sort();
    const group = groups.get(names.join()) ?? { consumers: names, eventIds: [] };
    group.eventIds.push(eventId);
    groups.set(names.join(), group);
  }

  return {
    get size(): number {
      return [...complete.values()].reduce((sum, { eventIds }) => sum + eventIds.length, partly.size);
    },
    add(consumer: string, eventIds: readonly string[]): void {
      const since = clock();
      for (const eventId of eventIds) {
        const entry = partly.get(eventId) ?? { since, consumers: new Set<string>() };
        entry.consumers.add(consumer);
        if (!isComplete(entry.consumers)) partly.set(eventId, entry);
        else {
          partly.delete(eventId);
          addTo(complete, eventId, entry.consumers);
        }
      }
    },
    /** Removes and returns complete events, and those whose first confirmation came `lingerMs` ago or earlier. */
    take(lingerMs: number): Confirmed[] {
      const groups = complete;
      complete = new Map();
      const until = clock() - lingerMs;
      for (const [eventId, { since, consumers }] of partly) {
        if (since > until) break;
        partly.delete(eventId);
        addTo(groups, eventId, consumers);
      }
      return [...groups.values()];
    },
  };
}

/** Deletes events that await only these consumers; removes the consumers from others. Ignores unknown ids. */
export async function confirmEvents(
  pool: Pool,
  eventIds: readonly string[],
  consumers: readonly string[],
): Promise<void> {
  // Each statement locks rows in id order, so replicas do not deadlock.
  const run = (statement: string) =>
    retryOnConflict(() =>
      inTransaction(pool, async (sql) => {
        await applyOutboxSettings(sql);
        return (await sql.query(statement, [eventIds, consumers])).length;
      }),
    );
  if (eventIds.length === 0) return;
  const deleted = await run(DELETE_CONFIRMED);
  if (deleted === eventIds.length) return;
  const shortened = await run(SHORTEN_CONFIRMED);
  // Another replica may have removed the other consumers in the meantime.
  if (deleted + shortened < eventIds.length) await run(DELETE_CONFIRMED);
}

const DELETE_CONFIRMED = `DELETE FROM outbox_events WHERE event_id = ANY($1::text[]) AND awaiting <@ $2::text[] RETURNING 1`;
const SHORTEN_CONFIRMED = `
  UPDATE outbox_events SET awaiting = ARRAY(SELECT unnest(awaiting) EXCEPT SELECT unnest($2::text[]))
  WHERE event_id = ANY($1::text[]) AND awaiting && $2::text[] AND NOT awaiting <@ $2::text[] RETURNING 1`;
