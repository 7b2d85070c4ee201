import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { inTransaction } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import { createMetrics, type Registry } from "@canvass/telemetry";
import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { newEvent } from "../src/new-event.ts";
import { appendEvents } from "../src/outbox.ts";
import { registerLateEvents } from "../src/outbox-metrics.ts";
import { startRelay } from "../src/relay.ts";
import type { Outbox } from "../src/start-outbox.ts";
import { observer, publishedIds } from "./published-ids.ts";
import { now, openRoad, silent, someEvent, type Road } from "./road.ts";

const BUS_ONLY = { unconfirmedAfterMs: 600_000 };

/** A write and its publication, as a service does them. */
async function write(road: Road, outbox: Outbox, count: number): Promise<string[]> {
  const events: Event[] = Array.from({ length: count }, someEvent);
  await inTransaction(road.pool, (sql) => appendEvents(sql, events));
  outbox.publish(events);
  return events.map(({ eventId }) => eventId);
}

test("committed events leave from memory, once, although another replica looks into the outbox", async () => {
  await using road = await openRoad();
  await road.publish(1);
  // Another replica looks all the time, and leaves young events to the process that wrote them: for it, all are young.
  const begun = now();
  await using _other = startRelay({
    pool: road.pool,
    bus: road.bus(),
    log: silent,
    now: () => begun,
    pollMs: 20,
    idlePollMs: 20,
  });
  await waitFor(async () => (await counts(road)).marked === 1, { describe: "its first look" });
  await road.sql.query("DELETE FROM outbox_events");
  const outbox = await settledSource(road);
  const events: string[] = [];
  for (const count of [1, 1, 150]) events.push(...(await write(road, outbox, count)));
  await waitFor(async () => (await published(road, events)).length >= 152, { describe: "all published" });
  expect(await published(road, events)).toEqual(events.toSorted());
  road.consume();
  expect(await road.faults(events)).toEqual([]);
});

test("what a process published and nobody confirmed is marked when it stops, and not published again", async () => {
  await using road = await openRoad();
  const outbox = await settledSource(road);
  const events = await write(road, outbox, 20);
  await outbox[Symbol.asyncDispose]();
  expect(await counts(road)).toEqual({ marked: 20, unmarked: 0 });
  road.source(BUS_ONLY);
  road.consume();
  expect(await road.faults(events)).toEqual([]);
  expect(await published(road, events)).toEqual(events.toSorted());
});

test("a replica publishes what another left that died between commit and publication", async () => {
  await using road = await openRoad();
  const left = await road.publish(20);
  // Its first look takes all there is; what is appended after it is young.
  await using _relay = startRelay({ pool: road.pool, bus: road.bus(), log: silent, now, pollMs: 20, idlePollMs: 20 });
  await waitFor(async () => (await counts(road)).unmarked === 0, { describe: "what was left before" });
  const young = await road.publish(20);
  const later = () => new Date(Date.now() + 8000);
  await using _later = startRelay({
    pool: road.pool,
    bus: road.bus(),
    log: silent,
    now: later,
    pollMs: 20,
    idlePollMs: 20,
  });
  await waitFor(async () => (await counts(road)).unmarked === 0, { describe: "the young ones, when they are older" });
  const events = [...left, ...young];
  expect(await published(road, events)).toEqual(events.toSorted());
});

test("events committed while the bus is away, or refused by it, leave when it takes them", async () => {
  await using road = await openRoad();
  const outbox = await settledSource(road);
  await road.nats.stop();
  const away = await write(road, outbox, 5);
  // The stream is gone when the server is back: publications are refused, and the relay makes it anew.
  await road.nats.wipe();
  await road.nats.start();
  const refused = await write(road, outbox, 5);
  road.consume();
  expect(await road.faults([...away, ...refused])).toEqual([]);
});

test("events that nobody awaits leave the road open for those that somebody does", async () => {
  await using road = await openRoad();
  const metrics = createMetrics("test");
  const outbox = await settledSource(road, metrics);
  const body = { case: "tokenRevoked", value: { tokenId: "t" } } as const;
  outbox.publish([newEvent({ workspaceId: "w", occurredAt: now(), body })]);
  outbox.publish([]);
  const events = await write(road, outbox, 3);
  await waitFor(async () => (await published(road, events)).length === 3, { describe: "all published" });
  expect(await lateEvents(metrics)).toBe(0);
});

test("what a look left because it was young, or locked, leaves when it is no longer, and is told of", async () => {
  await using road = await openRoad();
  const metrics = createMetrics("test");
  const locking = await road.pool.connect();
  const event = { ...someEvent(), occurredAt: timestampFromDate(new Date(Date.now() - 2000)) };
  await inTransaction(road.pool, (sql) => appendEvents(sql, [event]));
  await locking.query("BEGIN");
  await locking.query("SELECT FROM outbox_events FOR UPDATE");
  await road.publish(1);
  const bus = road.bus();
  const onLate = registerLateEvents(metrics);
  const pauses = { pollMs: 20, idlePollMs: 600_000 };
  await using _relay = startRelay({ pool: road.pool, bus, log: silent, now, onLate, ...pauses });
  await waitFor(async () => (await counts(road)).marked === 1, { describe: "the first look" });
  await locking.query("COMMIT");
  locking.release();
  await waitFor(async () => (await counts(road)).marked === 2, { describe: "the other one to leave" });
  expect(await lateEvents(metrics)).toBe(1);
});

async function lateEvents(metrics: Registry): Promise<number> {
  const { values } = await metrics.getSingleMetric("canvass_outbox_late_events")!.get();
  return values[0]!.value;
}

/** Its first look is over, so that only what it is given is published. */
async function settledSource(road: Road, metrics = createMetrics("test")): Promise<Outbox> {
  // Not nudged: a second look might take what is published meanwhile.
  await road.publish(1);
  const outbox = road.source({ ...BUS_ONLY, metrics });
  await waitFor(async () => (await counts(road)).marked === 1, { describe: "the first look" });
  await road.sql.query("DELETE FROM outbox_events");
  return outbox;
}

async function counts(road: Road) {
  const [row] = await road.sql.query<{ marked: number; unmarked: number }>(
    `SELECT count(published_at)::int AS marked, (count(*) - count(published_at))::int AS unmarked FROM outbox_events`,
  );
  return row!;
}

/** Those of `among` in the stream, repetitions included. */
async function published(road: Road, among: readonly string[]): Promise<string[]> {
  const nats = await observer(road);
  try {
    return (await publishedIds(nats)).filter((id) => among.includes(id)).toSorted();
  } finally {
    await nats.close();
  }
}
