import { inTransaction, sqlFromPg } from "@canvass/postgres";
import { EventBatchSchema, EventSchema, type Event } from "@canvass/proto/events";
import { waitFor } from "@canvass/testing";
import { fromBinary, toBinary, create } from "@bufbuild/protobuf";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DeliverPolicy, type NatsConnection } from "nats";
import { expect, test } from "vitest";
import { durableName } from "../src/durable-consumers.ts";
import { newEvent, appendEvents, LARGEST_EVENT } from "../src/append-events.ts";
import { claimUnpublished, applyOutboxSettings } from "../src/outbox.ts";
import { startRelay } from "../src/relay.ts";
import { EVENT_STREAM } from "../src/streams.ts";
import { eventSubject } from "../src/bus.ts";
import { connectNats, publishedIds } from "./published-ids.ts";
import { now, openEventPath, silent, someEvent, type EventPath } from "./event-path.ts";

/** So long that the sweep takes no part. */
const BUS_ONLY = { unconfirmedAfterMs: 3_600_000 };
const SWEEP_SOON = { unconfirmedAfterMs: 500, sweepIntervalMs: 50 };
const TYPE = "response.completed";

test("events appended while the bus was stopped go by the bus once it is back", async () => {
  await using eventPath = await openEventPath();
  eventPath.consume();
  const outbox = eventPath.source(BUS_ONLY);
  const before = await eventPath.append(300);
  outbox.nudge();
  expect(await eventPath.faults(before)).toEqual([]);
  await eventPath.nats.stop();
  const meanwhile = await eventPath.append(300);
  outbox.nudge();
  await eventPath.nats.start();
  expect(await eventPath.faults([...before, ...meanwhile])).toEqual([]);
});

test("events larger than the bus takes go by RPC and hold up no others", async () => {
  await using eventPath = await openEventPath();
  eventPath.consume();
  const large = Array.from({ length: 3 }, () => ofBytes(LARGEST_EVENT - 1000));
  await inTransaction(eventPath.pool, (sql) => appendEvents(sql, large));
  const first = eventPath.source(BUS_ONLY);
  first.nudge();
  await waitFor(async () => (await unpublished(eventPath)) === 0, { describe: "a round that left none to publish" });
  const small = await eventPath.append(300);
  first.nudge();
  await waitFor(async () => (await eventPath.outboxSize()) === large.length, {
    describe: "the small ones' confirmations",
  });
  await first[Symbol.asyncDispose]();
  eventPath.source(SWEEP_SOON);
  expect(await eventPath.faults([...small, ...large.map(({ eventId }) => eventId)])).toEqual([]);
  await using nats = await disposable(connectNats(eventPath));
  expect((await publishedIds(nats)).toSorted()).toEqual(small.toSorted());
});

test("an event that no RPC carries is refused with its write", async () => {
  await using eventPath = await openEventPath({ nats: false });
  await expect(appendEvents(eventPath.sql, [someEvent(), ofBytes(LARGEST_EVENT + 1)])).rejects.toThrow("bytes");
  expect(await eventPath.outboxSize()).toBe(0);
});

/** An event of somewhat more than `bytes`. */
function ofBytes(bytes: number): Event {
  const body = { surveyId: "s", responseId: "r", completedAt: "c", timestamp: "t".repeat(bytes) };
  return newEvent({
    workspaceId: "w",
    occurredAt: now(),
    body: { case: "responseCompleted", value: body },
  });
}

test("no event is lost with the store of the bus while everything runs, and the stream is made again", async () => {
  await using eventPath = await openEventPath();
  const outbox = eventPath.source(SWEEP_SOON);
  const unread = await eventPath.append(300);
  outbox.nudge();
  await waitFor(async () => (await unpublished(eventPath)) === 0, { describe: "all published" });
  await eventPath.nats.kill();
  await eventPath.nats.wipe();
  eventPath.consume();
  await eventPath.nats.start();
  const after = await eventPath.append(300);
  outbox.nudge();
  expect(await eventPath.faults([...unread, ...after])).toEqual([]);
  // The stream was made again, so that the bus carries events again.
  const late = await eventPath.append(10);
  outbox.nudge();
  expect(await eventPath.faults(late)).toEqual([]);
  await using nats = await disposable(connectNats(eventPath));
  expect(await publishedIds(nats)).toEqual(expect.arrayContaining(late));
});

test("no event is lost with the store of the bus while no process of ours runs", async () => {
  await using eventPath = await openEventPath();
  const consuming = eventPath.consume({ consumers: ["feed"] });
  const outbox = eventPath.source(BUS_ONLY);
  const events = await eventPath.append(300);
  outbox.nudge();
  await waitFor(async () => (await eventPath.effects()).get("feed")!.size === 300, { describe: "the feed's effects" });
  await consuming[Symbol.asyncDispose]();
  await outbox[Symbol.asyncDispose]();
  await eventPath.nats.stop();
  await eventPath.nats.wipe();
  await eventPath.nats.start();
  eventPath.consume();
  eventPath.source(SWEEP_SOON);
  expect(await eventPath.faults(events)).toEqual([]);
});

/** Acknowledgements that arrive while the server stops may be missing in what it writes of the consumer. */
async function untilAcknowledged(eventPath: EventPath, consumer: string): Promise<void> {
  await using nats = await disposable(connectNats(eventPath));
  const jsm = await nats.jetstreamManager();
  const settled = async () => {
    const { delivered, ack_floor } = await jsm.consumers.info(EVENT_STREAM, durableName(consumer, TYPE));
    return delivered.stream_seq > 0 && ack_floor.stream_seq === delivered.stream_seq;
  };
  await waitFor(settled, { describe: "acknowledgements of all that was delivered" });
}

test("a consumer that remembers more than the rebuilt stream holds is made anew and consumes from the bus", async () => {
  await using eventPath = await openEventPath();
  const consuming = eventPath.consume();
  const outbox = eventPath.source(BUS_ONLY);
  for (const round of [1, 2, 3, 4, 5]) {
    const events = await eventPath.append(round);
    outbox.nudge();
    expect(await eventPath.faults(events)).toEqual([]);
  }
  await consuming[Symbol.asyncDispose]();
  await untilAcknowledged(eventPath, "feed");
  await eventPath.nats.stop();
  const streamDir = join(eventPath.nats.storeDir, "$G/streams", EVENT_STREAM);
  expect(await readdir(join(streamDir, "obs"))).toContain(durableName("feed", TYPE));
  await rm(join(streamDir, "msgs"), { recursive: true });
  await eventPath.nats.start();
  await using nats = await disposable(connectNats(eventPath));
  const jsm = await nats.jetstreamManager();
  const stream = await jsm.streams.info(EVENT_STREAM);
  const consumer = await jsm.consumers.info(EVENT_STREAM, durableName("feed", TYPE));
  expect(consumer.delivered.stream_seq).toBeGreaterThan(stream.state.last_seq);

  const events = await eventPath.append(2);
  outbox.nudge();
  await waitFor(async () => (await unpublished(eventPath)) === 0, { describe: "published into the rebuilt stream" });
  eventPath.consume();
  expect(await eventPath.faults(events)).toEqual([]);
});

test("a durable consumer that is deleted while in use is made again", async () => {
  await using eventPath = await openEventPath();
  eventPath.consume();
  const outbox = eventPath.source(BUS_ONLY);
  const first = await eventPath.append(1);
  outbox.nudge();
  expect(await eventPath.faults(first)).toEqual([]);
  await using nats = await disposable(connectNats(eventPath));
  const jsm = await nats.jetstreamManager();
  await jsm.consumers.delete(EVENT_STREAM, durableName("feed", TYPE));
  const second = await eventPath.append(1);
  outbox.nudge();
  expect(await eventPath.faults([...first, ...second])).toEqual([]);
});

test("whatever is published or handed over again has no second effect", async () => {
  await using eventPath = await openEventPath();
  const consuming = eventPath.consume({ consumers: ["feed"] });
  const outbox = eventPath.source(BUS_ONLY);
  const events = await eventPath.append(250);
  const rows = await eventPath.sql.query<{ payload: Uint8Array }>(`SELECT payload FROM outbox_events`);
  const batch = create(EventBatchSchema, { events: rows.map(({ payload }) => fromBinary(EventSchema, payload)) });
  outbox.nudge();
  await using nats = await disposable(connectNats(eventPath));
  await waitFor(async () => (await eventPath.effects()).get("feed")!.size === 250, { describe: "the first effects" });
  // The same events under other message ids, at once with a hand-over of the same.
  const feed = consuming.receivers.get("feed")!;
  await Promise.all([
    ...[1, 2, 3].map(() => nats.jetstream().publish(eventSubject(TYPE), toBinary(EventBatchSchema, batch))),
    ...[1, 2, 3].map(() => feed.receive(batch.events.toReversed())),
  ]);
  const jsm = await nats.jetstreamManager();
  await waitFor(
    async () => {
      const { num_pending, num_ack_pending } = await jsm.consumers.info(EVENT_STREAM, durableName("feed", TYPE));
      return num_pending + num_ack_pending === 0;
    },
    { describe: "all messages acknowledged" },
  );
  eventPath.consume({ consumers: ["deliveries", "response-counts"] });
  expect(await eventPath.faults(events)).toEqual([]);
});

test("a consumer killed between its commit and its acknowledgement causes no second effect", async () => {
  await using eventPath = await openEventPath();
  const database = eventPath.pool.options.connectionString!;
  const dying = spawn(
    process.execPath,
    [join(import.meta.dirname, "fixture/dying-consumer.ts"), database, eventPath.nats.url],
    {
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  const outbox = eventPath.source(BUS_ONLY);
  const exited = once(dying, "exit");
  const events = await eventPath.append(40);
  outbox.nudge();
  expect(await exited).toEqual([null, "SIGKILL"]);
  expect((await eventPath.effects()).get("feed")!.size).toBeGreaterThan(0);
  eventPath.consume();
  // What was not acknowledged comes again in half a minute, or is handed over before.
  eventPath.source(SWEEP_SOON);
  expect(await eventPath.faults(events)).toEqual([]);
});

test("a source that dies between commit and publication, or over it, leaves its events to the next process", async () => {
  await using eventPath = await openEventPath();
  eventPath.consume();
  const events = await eventPath.append(50);
  // A relay of a process that dies while its claim is open.
  const client = await eventPath.pool.connect();
  client.on("error", () => undefined);
  const sql = sqlFromPg(client);
  await client.query("BEGIN");
  await applyOutboxSettings(sql);
  expect(await claimUnpublished(sql, { now: now(), since: null, limit: 30 })).toHaveLength(30);
  eventPath.source(BUS_ONLY);
  await waitFor(async () => (await eventPath.outboxSize()) === 30, { describe: "only the claimed ones left" });
  client.release(new Error("the process died"));
  eventPath.source(BUS_ONLY);
  expect(await eventPath.faults(events)).toEqual([]);
});

test("an idle relay publishes what a process left that died before it nudged", async () => {
  await using eventPath = await openEventPath();
  await using _relay = startRelay({
    pool: eventPath.pool,
    bus: eventPath.bus(),
    log: silent,
    now,
    pollMs: 50,
    idlePollMs: 300,
  });
  const events: string[] = [];
  // Nothing nudges the relay, which finds the outbox empty before the second time.
  for (const count of [20, 20]) {
    events.push(...(await eventPath.append(count)));
    await waitFor(async () => (await unpublished(eventPath)) === 0, { describe: "all published" });
  }
  await using nats = await disposable(connectNats(eventPath));
  expect((await publishedIds(nats)).sort()).toEqual(events.sort());
});

test("an idle sweep hands over what becomes overdue while it sleeps", async () => {
  await using eventPath = await openEventPath({ nats: false });
  eventPath.consume();
  eventPath.source({ unconfirmedAfterMs: 300, sweepIntervalMs: 50 });
  for (const count of [20, 20]) expect(await eventPath.faults(await eventPath.append(count))).toEqual([]);
});

test("one scan that is held up does not keep the sweep away", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const events = await eventPath.append(600);
  let locked = false;
  eventPath.consume({
    store: async (consumer, events, store) => {
      if (consumer !== "feed" || locked) return store(events);
      locked = true;
      await lockOutbox(eventPath, 3000);
      // With nothing to confirm, the scan for the next page is what waits for the lock.
      return [];
    },
  });
  eventPath.source(SWEEP_SOON);
  expect(await eventPath.faults(events)).toEqual([]);
});

test("two relays publish each event once", async () => {
  await using eventPath = await openEventPath();
  const relays = [eventPath.source(BUS_ONLY), eventPath.source(BUS_ONLY)];
  const events = (await Promise.all(Array.from({ length: 20 }, () => eventPath.append(200)))).flat();
  for (const relay of relays) relay.nudge();
  await waitFor(async () => (await unpublished(eventPath)) === 0, { describe: "all published" });
  await using nats = await disposable(connectNats(eventPath));
  expect((await publishedIds(nats)).sort()).toEqual(events.sort());
  eventPath.consume();
  expect(await eventPath.faults(events)).toEqual([]);
});

test("two sweeps hand each event over once", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const handed: string[] = [];
  eventPath.consume({
    store: async (consumer, events, store) => {
      if (consumer === "feed") handed.push(...events.map(({ eventId }) => eventId));
      await store(events);
    },
  });
  const events = await eventPath.append(1200);
  eventPath.source(SWEEP_SOON);
  eventPath.source(SWEEP_SOON);
  expect(await eventPath.faults(events)).toEqual([]);
  expect(handed.sort()).toEqual(events.sort());
});

test("events that a full stream refuses go by hand-over", async () => {
  await using eventPath = await openEventPath();
  eventPath.consume();
  const outbox = eventPath.source({ ...SWEEP_SOON, bus: eventPath.bus({ replicas: 1, maxBytes: 20_000 }) });
  const events = await eventPath.append(1000);
  outbox.nudge();
  expect(await eventPath.faults(events)).toEqual([]);
  await using nats = await disposable(connectNats(eventPath));
  const jsm = await nats.jetstreamManager();
  const { state } = await jsm.streams.info(EVENT_STREAM);
  expect(state.bytes).toBeLessThanOrEqual(20_000);
});

test("a stream and a consumer that somebody changed are repaired", async () => {
  await using eventPath = await openEventPath();
  await using nats = await disposable(connectNats(eventPath));
  const jsm = await nats.jetstreamManager();
  // Neither can be updated into what is wanted.
  await jsm.streams.add({ name: EVENT_STREAM, subjects: ["canvass.events.>"], storage: "memory" as never });
  const outbox = eventPath.source(BUS_ONLY);
  const wanted = { storage: "file", discard: "new", retention: "limits", num_replicas: 1 };
  const config = () => jsm.streams.info(EVENT_STREAM).then((stream) => stream.config, String);
  await expect.poll(config).toMatchObject(wanted);
  await jsm.consumers.add(EVENT_STREAM, {
    durable_name: durableName("feed", TYPE),
    deliver_policy: DeliverPolicy.New,
    ack_policy: "none" as never,
  });
  eventPath.consume();
  const events = await eventPath.append(5);
  outbox.nudge();
  expect(await eventPath.faults(events)).toEqual([]);
  const consumer = await jsm.consumers.info(EVENT_STREAM, durableName("feed", TYPE));
  expect(consumer.config).toMatchObject({ ack_policy: "explicit", deliver_policy: "all", max_deliver: -1 });

  await jsm.streams.update(EVENT_STREAM, { max_bytes: 123_456 });
  eventPath.source(BUS_ONLY);
  await waitFor(async () => (await jsm.streams.info(EVENT_STREAM)).config.max_bytes === 2 ** 30, {
    describe: "a repaired limit",
  });
});

test("disposing waits for the batch under way, and loses none that waits", async () => {
  await using eventPath = await openEventPath();
  const entered = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  let committed = false;
  const consuming = eventPath.consume({
    consumers: ["feed"],
    store: async (_, events, store) => {
      entered.resolve();
      await go.promise;
      await store(events);
      committed = true;
    },
  });
  const outbox = eventPath.source(SWEEP_SOON);
  const events = await eventPath.append(3);
  outbox.nudge();
  await entered.promise;
  const disposed = consuming[Symbol.asyncDispose]().then(() => committed);
  go.resolve();
  expect(await disposed).toBe(true);
  eventPath.consume();
  expect(await eventPath.faults(events)).toEqual([]);
});

test("confirmations that are lost are asked for again", async () => {
  await using eventPath = await openEventPath();
  const bus = eventPath.bus();
  const deaf = Object.create(bus, { notify: { value: () => undefined } }) as typeof bus;
  eventPath.consume({ bus: deaf });
  const outbox = eventPath.source(SWEEP_SOON);
  const events = await eventPath.append(100);
  outbox.nudge();
  expect(await eventPath.faults(events)).toEqual([]);
});

test("the age of the oldest unconfirmed event and their number are measured; the age is 0 when all are confirmed", async () => {
  await using eventPath = await openEventPath();
  const { createMetrics } = await import("@canvass/telemetry");
  const metrics = createMetrics("test");
  let time = Date.now();
  const outbox = eventPath.source({ ...BUS_ONLY, metrics, now: () => new Date(time) });
  const age = async () => {
    const text = await metrics.getSingleMetricAsString("canvass_outbox_oldest_seconds");
    return Number(/ ([\d.]+)$/m.exec(text)?.[1]);
  };
  expect(await age()).toBe(0);
  const events = await eventPath.append(1);
  expect(await metrics.getSingleMetricAsString("canvass_outbox_events")).toMatch(/ 1$/m);
  time = Date.now() + 60_000;
  expect(await age()).toBeGreaterThan(59);
  eventPath.consume();
  outbox.nudge();
  expect(await eventPath.faults(events)).toEqual([]);
  expect(await age()).toBe(0);
});

/** Locks the outbox for `ms`. Resolves once it is locked. */
function lockOutbox(eventPath: EventPath, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    inTransaction(eventPath.pool, async (sql) => {
      await sql.query("LOCK TABLE outbox_events");
      resolve();
      await delay(ms);
    }).catch(reject);
  });
}

async function unpublished(eventPath: EventPath): Promise<number> {
  const [row] = await eventPath.sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM outbox_events WHERE published_at IS NULL`,
  );
  return row!.count;
}

async function disposable(connecting: Promise<NatsConnection>): Promise<NatsConnection & AsyncDisposable> {
  const connection = await connecting;
  return Object.assign(connection, { [Symbol.asyncDispose]: () => connection.close() });
}
