import { newId } from "@canvass/values";
import { inTransaction, isUniqueViolation, retryOnConflict, type Sql } from "@canvass/postgres";
import { eventTypeOf } from "@canvass/processes/event-catalogue";
import { EventIntakeService } from "@canvass/proto/events";
import { createRpcClient } from "@canvass/rpc";
import { expect, test } from "vitest";
import { purgeConsumedEvents } from "../src/inbox.ts";
import { claimNewEvents, newEvent } from "../src/index.ts";
import { claimUnpublished, overdueEvents, applyOutboxSettings, type OverdueRow } from "../src/outbox.ts";
import { confirmEvents } from "../src/confirmations.ts";
import { appendEvents } from "../src/append-events.ts";
import { CONSUMERS, now, openEventPath, someEvent } from "./event-path.ts";

const bytes = 2 ** 20;

test("a transaction that fails leaves no event behind", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const failing = inTransaction(eventPath.pool, async (sql) => {
    await appendEvents(sql, [someEvent()]);
    throw new Error("the write failed");
  });
  await expect(failing).rejects.toThrow("the write failed");
  expect(await eventPath.outboxSize()).toBe(0);
});

test("events without consumers are not inserted; one without a time is refused", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const body = { case: "surveyPublished", value: { surveyId: "s" } } as const;
  const unheard = newEvent({ workspaceId: "w", occurredAt: now(), body });
  expect(eventTypeOf(unheard)).toBe("survey.published");
  await appendEvents(eventPath.sql, [unheard]);
  await appendEvents(eventPath.sql, []);
  expect(await eventPath.outboxSize()).toBe(0);
  await expect(appendEvents(eventPath.sql, [{ ...someEvent(), occurredAt: undefined }])).rejects.toThrow("time");
});

test("confirmations of several consumers at once, on several replicas, empty the outbox", async () => {
  await using eventPath = await openEventPath({ nats: false });
  for (let round = 0; round < 30; round += 1) {
    const eventIds = await eventPath.append(200);
    await Promise.all([
      ...CONSUMERS.map((consumer) => confirmEvents(eventPath.pool, eventIds, [consumer])),
      ...CONSUMERS.map((consumer) => confirmEvents(eventPath.pool, eventIds.toReversed(), [consumer, "feed"])),
      confirmEvents(eventPath.pool, ["unknown", ...eventIds.slice(50, 100)], ["deliveries"]),
    ]);
    expect(await eventPath.outboxSize()).toBe(0);
  }
});

test("a confirmation by one consumer leaves the event to the others", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const [eventId] = await eventPath.append(1);
  await confirmEvents(eventPath.pool, [eventId!], ["feed", "somebody else"]);
  const [row] = await eventPath.sql.query<{ awaiting: string[] }>(`SELECT awaiting FROM outbox_events`);
  expect(row!.awaiting.sort()).toEqual(["deliveries", "response-counts"]);
  const before = new Date(Date.now() + 1000);
  const overdue = (consumer: string) =>
    inTransaction(eventPath.pool, (sql) =>
      overdueEvents(sql, { consumer, before, after: undefined, limit: 10, bytes }),
    );
  expect(await overdue("feed")).toEqual({ rows: [], isLast: true });
  expect((await overdue("deliveries")).rows.map((row) => row.eventId)).toEqual([eventId]);
});

test("overdue events are walked through to the end, published or not, each once", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const eventIds = await eventPath.append(95);
  await inTransaction(eventPath.pool, (sql) => claimUnpublished(sql, { now: now(), since: null, limit: 50 }));
  const before = new Date(Date.now() + 1000);
  const seen: string[] = [];
  for (let after: OverdueRow | undefined; ;) {
    const what = { consumer: "feed", before, after, limit: 20, bytes };
    const { rows, isLast } = await inTransaction(eventPath.pool, (sql) => overdueEvents(sql, what));
    seen.push(...rows.map(({ eventId }) => eventId));
    if (isLast) break;
    after = rows.at(-1);
  }
  expect(seen.sort()).toEqual(eventIds.sort());
});

test("a page of overdue events has no more bytes than its limit, except for its last event", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const eventIds = await eventPath.append(20);
  await inTransaction(eventPath.pool, (sql) => claimUnpublished(sql, { now: now(), since: null, limit: 8 }));
  await eventPath.sql.query(`UPDATE outbox_events SET payload = payload || decode(repeat('00', 100000), 'hex')`);
  const before = new Date(Date.now() + 1000);
  const seen: string[] = [];
  for (let after: OverdueRow | undefined; ;) {
    const what = { consumer: "feed", before, after, limit: 20, bytes: 250_000 };
    const { rows, isLast } = await inTransaction(eventPath.pool, (sql) => overdueEvents(sql, what));
    seen.push(...rows.map(({ eventId }) => eventId));
    // The published ones fill a page, and so do the others: a page of both has at most three of each.
    expect(rows.length).toBeLessThanOrEqual(6);
    if (isLast) break;
    after = rows.at(-1);
  }
  expect(seen.sort()).toEqual(eventIds.sort());
});

test("claims and sweeps read the index, not the table, however it looked when they were planned", async () => {
  await using eventPath = await openEventPath({ nats: false });
  await eventPath.append(100);
  const plans = await inTransaction(eventPath.pool, async (sql) => {
    await applyOutboxSettings(sql);
    await sql.query(`SET LOCAL plan_cache_mode = force_generic_plan`);
    const plan = async (statement: string, params: unknown[]) =>
      JSON.stringify(await sql.query(`EXPLAIN (FORMAT JSON) ${statement}`, params));
    const recording = {
      plans: [] as string[],
      async query<Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
        if (params.length > 0) this.plans.push(await plan(text, [...params]));
        return [];
      },
    };
    const [before, consumer] = [now(), "feed"];
    await claimUnpublished(recording, { now: before, since: before, limit: 10 });
    await overdueEvents(recording, { consumer, before, after: undefined, limit: 10, bytes });
    return recording.plans;
  });
  expect(plans).toHaveLength(3);
  for (const plan of plans) {
    expect(plan).toContain("outbox_events_published_at_occurred_at_idx");
    expect(plan).not.toContain("Seq Scan");
  }
});

test("consumed events are claimed once for each consumer and purged when they are old", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const start = new Date("2026-01-01T00:00:00.500Z");
  const events = [0, 1].map(() => ({ ...someEvent(), eventId: newId(new Date(start.getTime() - 1)) }));
  const claim = (consumer: string, at: Date) => claimNewEvents(eventPath.sql, consumer, [...events, events[0]!], at);
  expect(await claim("feed", start)).toEqual(events);
  expect(await claim("feed", start)).toEqual([]);
  expect(await claim("deliveries", new Date(start.getTime() + 1))).toEqual(events);
  expect(await purgeConsumedEvents(eventPath.sql, start, 10)).toBe(0);
  expect(await purgeConsumedEvents(eventPath.sql, new Date(start.getTime() + 1), 10)).toBe(2);
  expect(await claim("deliveries", start)).toEqual([]);
});

test("the purge of consumed events reads the old ones, not the table, whatever was known when it was planned", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const insert = (prefix: string, count: number) =>
    eventPath.sql.query(
      `INSERT INTO consumed_events SELECT 'w', 'feed', $1 || n, $2 FROM generate_series(1, $3::int) AS n`,
      [prefix, new Date(0).toISOString(), count],
    );
  await insert("0", 5);
  await eventPath.sql.query("ANALYZE consumed_events");
  await insert("z", 5000);
  const explained: string[] = [];
  await inTransaction(eventPath.pool, async (sql) => {
    await sql.query("SET LOCAL plan_cache_mode = force_generic_plan");
    const recording = {
      async query<Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
        explained.push(JSON.stringify(await sql.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...params])));
        return [];
      },
    };
    await purgeConsumedEvents(recording, now(), 10);
  });
  expect(explained[0]).toContain('"Index Name":"consumed_events_pkey"');
  expect(explained[0]).not.toContain("Seq Scan");
  expect(explained[0]).not.toMatch(/"Rows Removed by Filter":[^0]/);
});

test("a hand-over to a consumer that is not there, of too many events, or with a wrong peer key is refused", async () => {
  await using eventPath = await openEventPath({ nats: false });
  eventPath.consume({ consumers: ["feed"] });
  await using client = createRpcClient(EventIntakeService, { url: eventPath.intakeUrl, peerKey: "peer" });
  await using stranger = createRpcClient(EventIntakeService, { url: eventPath.intakeUrl, peerKey: "reep" });
  const event = someEvent();
  expect((await client.handOverEvents({ consumer: "feed", events: [event, event] })).storedEventIds).toEqual([
    event.eventId,
  ]);
  await expect(client.handOverEvents({ consumer: "fed", events: [] })).rejects.toMatchObject({
    code: "invalid_request",
  });
  const many = Array.from({ length: 501 }, someEvent);
  await expect(client.handOverEvents({ consumer: "feed", events: many })).rejects.toMatchObject({
    code: "invalid_request",
  });
  await expect(stranger.handOverEvents({ consumer: "feed", events: [event] })).rejects.toMatchObject({
    code: "unauthorized",
  });
});

test("claims of two relays do not overlap, and what one gives back the other gets", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const eventIds = await eventPath.append(30);
  const claim = (sql: Sql) => claimUnpublished(sql, { now: now(), since: null, limit: 20 });
  const ids = (rows: readonly { eventId: string }[]) => rows.map(({ eventId }) => eventId);
  const given: string[] = [];
  const failed = inTransaction(eventPath.pool, async (sql) => {
    const first = ids(await claim(sql));
    const second = ids(await inTransaction(eventPath.pool, claim));
    expect([first.length, second.length]).toEqual([20, 10]);
    given.push(...first, ...second);
    throw new Error("not published");
  });
  await expect(failed).rejects.toThrow("not published");
  expect(given.sort()).toEqual(eventIds.sort());
  expect(await inTransaction(eventPath.pool, claim)).toHaveLength(20);
});

test("concurrent claims of the same events, in any order, do not deadlock, and claim each once", async () => {
  await using eventPath = await openEventPath({ nats: false });
  const events = Array.from({ length: 400 }, someEvent);
  const claims = Array.from({ length: 10 }, (_, index) =>
    retryOnConflict(
      () =>
        inTransaction(eventPath.pool, (sql) =>
          claimNewEvents(sql, "feed", index % 2 ? events : events.toReversed(), now()),
        ),
      isUniqueViolation,
    ),
  );
  const fresh = (await Promise.all(claims)).flat();
  expect(fresh.map(({ eventId }) => eventId).sort()).toEqual(events.map(({ eventId }) => eventId).sort());
});
