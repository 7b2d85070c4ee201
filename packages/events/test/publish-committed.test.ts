import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { inTransaction } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import { createMetrics, type Registry } from "@canvass/telemetry";
import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { newEvent, appendEvents } from "../src/append-events.ts";
import { registerLateEvents } from "../src/outbox-metrics.ts";
import { startRelay } from "../src/relay.ts";
import type { Outbox } from "../src/start-outbox.ts";
import { connectNats, publishedIds } from "./published-ids.ts";
import { now, openEventPath, silent, someEvent, type EventPath } from "./event-path.ts";

const BUS_ONLY = { unconfirmedAfterMs: 600_000 };

/** Commits events and publishes them, as a service does. Returns their ids. */
async function commitAndPublish(eventPath: EventPath, outbox: Outbox, count: number): Promise<string[]> {
  const events: Event[] = Array.from({ length: count }, someEvent);
  await inTransaction(eventPath.pool, (sql) => appendEvents(sql, events));
  outbox.publish(events);
  return events.map(({ eventId }) => eventId);
}

test("committed events are published from memory, once, although another replica polls the outbox", async () => {
  await using eventPath = await openEventPath();
  await eventPath.append(1);
  // Another replica looks all the time, and leaves young events to the process that wrote them: for it, all are young.
  const begun = now();
  await using _other = startRelay({
    pool: eventPath.pool,
    bus: eventPath.bus(),
    log: silent,
    now: () => begun,
    pollMs: 20,
    idlePollMs: 20,
  });
  await waitFor(async () => (await counts(eventPath)).marked === 1, { describe: "its first look" });
  await eventPath.sql.query("DELETE FROM outbox_events");
  const outbox = await settledSource(eventPath);
  const events: string[] = [];
  for (const count of [1, 1, 150]) events.push(...(await commitAndPublish(eventPath, outbox, count)));
  await waitFor(async () => (await published(eventPath, events)).length >= 152, { describe: "all published" });
  expect(await published(eventPath, events)).toEqual(events.toSorted());
  eventPath.consume();
  expect(await eventPath.faults(events)).toEqual([]);
});

test("what a process published and nobody confirmed is marked when it stops, and not published again", async () => {
  await using eventPath = await openEventPath();
  const outbox = await settledSource(eventPath);
  const events = await commitAndPublish(eventPath, outbox, 20);
  await outbox[Symbol.asyncDispose]();
  expect(await counts(eventPath)).toEqual({ marked: 20, unmarked: 0 });
  eventPath.source(BUS_ONLY);
  eventPath.consume();
  expect(await eventPath.faults(events)).toEqual([]);
  expect(await published(eventPath, events)).toEqual(events.toSorted());
});

test("a replica publishes the events of one that died between commit and publication", async () => {
  await using eventPath = await openEventPath();
  const left = await eventPath.append(20);
  // Its first look takes all there is; what is appended after it is young until its clock goes on.
  let clock = now();
  await using _relay = startRelay({
    pool: eventPath.pool,
    bus: eventPath.bus(),
    log: silent,
    now: () => clock,
    pollMs: 20,
    idlePollMs: 20,
  });
  await waitFor(async () => (await counts(eventPath)).unmarked === 0, { describe: "what was left before" });
  const young = await eventPath.append(20);
  clock = new Date(now().getTime() + 8000);
  await waitFor(async () => (await counts(eventPath)).unmarked === 0, {
    describe: "the young ones, when they are older",
  });
  const events = [...left, ...young];
  expect(await published(eventPath, events)).toEqual(events.toSorted());
});

test("events committed while the bus is away, or refused by it, are published once it takes them", async () => {
  await using eventPath = await openEventPath();
  const outbox = await settledSource(eventPath);
  await eventPath.nats.stop();
  const away = await commitAndPublish(eventPath, outbox, 5);
  // The stream is gone when the server is back: publications are refused, and the relay makes it anew.
  await eventPath.nats.wipe();
  await eventPath.nats.start();
  const refused = await commitAndPublish(eventPath, outbox, 5);
  eventPath.consume();
  expect(await eventPath.faults([...away, ...refused])).toEqual([]);
});

test("after an event without consumers, the next ones are still published from memory", async () => {
  await using eventPath = await openEventPath();
  const metrics = createMetrics("test");
  const outbox = await settledSource(eventPath, metrics);
  const body = { case: "tokenRevoked", value: { tokenId: "t" } } as const;
  outbox.publish([newEvent({ workspaceId: "w", occurredAt: now(), body })]);
  outbox.publish([]);
  const events = await commitAndPublish(eventPath, outbox, 3);
  await waitFor(async () => (await published(eventPath, events)).length === 3, { describe: "all published" });
  expect(await lateEvents(metrics)).toBe(0);
});

test("an event that a poll left because it was young or locked is published later, and counts as late", async () => {
  await using eventPath = await openEventPath();
  const metrics = createMetrics("test");
  const locking = await eventPath.pool.connect();
  const event = { ...someEvent(), occurredAt: timestampFromDate(new Date(Date.now() - 2000)) };
  await inTransaction(eventPath.pool, (sql) => appendEvents(sql, [event]));
  await locking.query("BEGIN");
  await locking.query("SELECT FROM outbox_events FOR UPDATE");
  await eventPath.append(1);
  const bus = eventPath.bus();
  const onLate = registerLateEvents(metrics);
  const pauses = { pollMs: 20, idlePollMs: 600_000 };
  await using _relay = startRelay({ pool: eventPath.pool, bus, log: silent, now, onLate, ...pauses });
  await waitFor(async () => (await counts(eventPath)).marked === 1, { describe: "the first look" });
  await locking.query("COMMIT");
  locking.release();
  await waitFor(async () => (await counts(eventPath)).marked === 2, { describe: "the other one to leave" });
  expect(await lateEvents(metrics)).toBe(1);
});

async function lateEvents(metrics: Registry): Promise<number> {
  const { values } = await metrics.getSingleMetric("canvass_outbox_late_events")!.get();
  return values[0]!.value;
}

/** Starts a source and waits for its first poll, so that it publishes only what it is given. */
async function settledSource(eventPath: EventPath, metrics = createMetrics("test")): Promise<Outbox> {
  // Not nudged: a second look might take what is published meanwhile.
  await eventPath.append(1);
  const outbox = eventPath.source({ ...BUS_ONLY, metrics });
  await waitFor(async () => (await counts(eventPath)).marked === 1, { describe: "the first look" });
  await eventPath.sql.query("DELETE FROM outbox_events");
  return outbox;
}

async function counts(eventPath: EventPath) {
  const [row] = await eventPath.sql.query<{ marked: number; unmarked: number }>(
    `SELECT count(published_at)::int AS marked, (count(*) - count(published_at))::int AS unmarked FROM outbox_events`,
  );
  return row!;
}

/** Those of `among` in the stream, repetitions included. */
async function published(eventPath: EventPath, among: readonly string[]): Promise<string[]> {
  const nats = await connectNats(eventPath);
  try {
    return (await publishedIds(nats)).filter((id) => among.includes(id)).toSorted();
  } finally {
    await nats.close();
  }
}
