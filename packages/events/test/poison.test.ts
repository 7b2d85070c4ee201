import { fromBinary } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { EventSchema } from "@canvass/proto/events";
import { sqlFromPg } from "@canvass/postgres";
import { waitFor } from "@canvass/testing";
import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { createMetrics } from "@canvass/telemetry";
import { createEventReceiver } from "../src/event-receiver.ts";
import { isOutage } from "../src/outage.ts";
import { makePoisonDue } from "../src/poison.ts";
import { leavingOut, now, openEventPath, silent, someEvent, type EventPath } from "./event-path.ts";

const SWEEP_SOON = { unconfirmedAfterMs: 300, sweepIntervalMs: 50 };

async function poisonEvents(eventPath: EventPath): Promise<{ eventId: string; error: string; attempts: number }[]> {
  return eventPath.sql.query(`SELECT event_id AS "eventId", error, attempts FROM poison_events ORDER BY 1`);
}

test("an event that cannot be stored blocks nobody, is kept with its error, and is stored once the fault is mended", async () => {
  await using eventPath = await openEventPath();
  let bad = "";
  let mended = false;
  const consuming = eventPath.consume({
    store: async (consumer, events, store) => {
      const fails = consumer === "feed" && !mended && events.some(({ eventId }) => eventId === bad);
      if (fails) throw new TypeError("no room for it\0");
      await store(events);
    },
  });
  const outbox = eventPath.source(SWEEP_SOON);
  const events = await eventPath.append(120);
  bad = events[60]!;
  outbox.nudge();
  // Its tries are further and further apart.
  await waitFor(async () => (await eventPath.outboxSize()) === 0, { describe: "an empty outbox" });
  expect((await eventPath.effects()).get("feed")!.size).toBe(119);
  expect(await poisonEvents(eventPath)).toEqual([{ eventId: bad, error: "TypeError: no room for it", attempts: 0 }]);
  const { metrics } = consuming;
  expect(await metrics.getSingleMetricAsString("canvass_poison_messages")).toContain(
    'consumer="feed",service="test"} 1',
  );

  mended = true;
  await makePoisonDue(eventPath.sql, "feed", now());
  await consuming.receivers.get("feed")!.retryPoison();
  expect(await eventPath.faults(events)).toEqual([]);
  expect(await poisonEvents(eventPath)).toEqual([]);
  expect(await metrics.getSingleMetricAsString("canvass_poison_messages")).toContain(
    'consumer="feed",service="test"} 0',
  );
});

test.each([
  ["workspace id with NUL", { workspaceId: "w\0" }],
  ["workspace id that is too long for a key", { workspaceId: randomBytes(20_000).toString("hex") }],
  ["event id with NUL", { eventId: "e\0" }],
])("an event whose %s the database refuses stops nobody, and is kept as it came", async (_, ids) => {
  await using eventPath = await openEventPath({ nats: false });
  const { receivers } = eventPath.consume();
  const receiver = receivers.get("feed")!;
  const bad = { ...someEvent(), ...ids };
  const good = [someEvent(), someEvent()];
  const batch = [good[0]!, bad, good[1]!];
  for (let attempt = 1; attempt < 5; attempt += 1) expect(await receiver.receive(batch)).toHaveProperty("size", 2);
  expect(await receiver.receive(batch)).toEqual(new Set(batch.map(({ eventId }) => eventId)));
  expect((await eventPath.effects()).get("feed")!.size).toBe(2);
  const rows = await eventPath.sql.query<{ payload: Uint8Array }>("SELECT payload FROM poison_events");
  expect(rows.map(({ payload }) => fromBinary(EventSchema, payload))).toEqual([bad]);
  // It is tried again like any other.
  await receiver.makePoisonDue();
  expect(await receiver.retryPoison()).toBe(1);
  expect(await poisonEvents(eventPath)).toMatchObject([{ attempts: 1 }]);
});

test("poison that is not due is left alone, and its pauses grow", async () => {
  await using eventPath = await openEventPath({ nats: false });
  let time = Date.now();
  let calls = 0;
  const receiver = createEventReceiver({
    consumer: "feed",
    sql: eventPath.sql,
    log: silent,
    metrics: createMetrics("test"),
    now: () => new Date(time),
    maxAttempts: 2,
    store: async () => {
      calls += 1;
      throw new Error("never");
    },
  });
  const event = someEvent();
  expect(await receiver.receive([event])).toEqual(new Set());
  expect(await receiver.receive([event])).toEqual(new Set([event.eventId]));
  calls = 0;
  const dueAfter: number[] = [];
  for (let minute = 1; minute <= 40; minute += 1) {
    time += 60_000;
    if ((await receiver.retryPoison()) > 0) dueAfter.push(minute);
  }
  expect(dueAfter).toEqual([1, 2, 4, 8, 16, 32]);
  expect(calls).toBe(6);
  expect(await poisonEvents(eventPath)).toEqual([{ eventId: event.eventId, error: "Error: never", attempts: 6 }]);
});

test("an outage makes nothing poison, however long, and other consumers do not notice", async () => {
  await using eventPath = await openEventPath({ nats: false });
  let away = true;
  let calls = 0;
  const consuming = eventPath.consume({
    store: async (consumer, events, store) => {
      if (consumer !== "deliveries" || !away) return store(events);
      calls += 1;
      throw new AppError("service_unavailable");
    },
  });
  eventPath.source(SWEEP_SOON);
  const events = await eventPath.append(600);
  await waitFor(async () => (await eventPath.effects()).get("feed")!.size === 600, { describe: "the feed's effects" });
  await waitFor(() => calls > 1, { describe: "another try" });
  const event = someEvent();
  for (let times = 0; times < 10; times += 1) {
    await expect(consuming.receivers.get("deliveries")!.receive([event])).rejects.toThrow("not available");
  }
  expect((await eventPath.effects()).get("deliveries")!.size).toBe(0);
  expect(await poisonEvents(eventPath)).toEqual([]);
  away = false;
  expect(await eventPath.faults(events)).toEqual([]);
});

test("events that a store leaves out, more than a turn of the sweep takes, keep no later one from it", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const early = new Set(await eventPath.append(20 * 500));
  eventPath.consume({ consumers: ["feed"], store: leavingOut(early) });
  const later = await eventPath.append(5);
  eventPath.source(SWEEP_SOON);
  await waitFor(async () => (await eventPath.effects()).get("feed")!.size === 5, {
    describe: "the later ones' effects",
  });
  expect([...(await eventPath.effects()).get("feed")!.keys()].sort()).toEqual(later.sort());
});

test("a hand-over of nothing tells whether something could be stored", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const options = { consumer: "feed", store: async () => undefined, log: silent, now };
  const there = createEventReceiver({ ...options, sql: eventPath.sql, metrics: createMetrics("test") });
  expect(await there.receive([])).toEqual(new Set());
  const pool = new Pool({ connectionString: "postgresql://127.0.0.1:1/away" });
  const away = createEventReceiver({ ...options, sql: sqlFromPg(pool), metrics: createMetrics("test") });
  await expect(away.receive([])).rejects.toSatisfy(isOutage);
  await pool.end();
});

test("events that a store leaves out come again", async () => {
  await using eventPath = await openEventPath();
  const refused = new Set<string>();
  eventPath.consume({
    store: async (_, events, store) => {
      // Each is left out the first time.
      const known = events.filter(({ eventId }) => refused.has(eventId));
      for (const { eventId } of events) refused.add(eventId);
      if (known.length > 0) await store(known);
      return known.map(({ eventId }) => eventId);
    },
  });
  const outbox = eventPath.source(SWEEP_SOON);
  const events = await eventPath.append(20);
  outbox.nudge();
  expect(await eventPath.faults(events)).toEqual([]);
  expect(await poisonEvents(eventPath)).toEqual([]);
});

test("a receiver for a consumer that the catalogue does not know is refused", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const options = {
    sql: eventPath.sql,
    store: async () => undefined,
    log: silent,
    metrics: createMetrics("test"),
    now,
  };
  expect(() => createEventReceiver({ ...options, consumer: "feeed" })).toThrow("feeed");
});
