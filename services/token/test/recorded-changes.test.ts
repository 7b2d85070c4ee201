import { newCaller } from "@canvass/access";
import {
  appendEvents,
  auditEvent,
  connectBus,
  connectIntakes,
  platformAuditEvent,
  startOutbox,
  type AuditedChange,
} from "@canvass/events";
import { inTransaction } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import { createLogger, createMetrics } from "@canvass/telemetry";
import { createTestDatabase, testNats, waitFor } from "@canvass/testing";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { firstActions, startTokenSystem, type TokenSystem, type Workspace } from "./token-system.ts";

function changed({ workspaceId, personId, tokenId }: Workspace, change: Partial<AuditedChange> = {}): Event {
  const caller = newCaller({ workspaceId, personId, personName: "Ada", tokenId, tokenName: "Owner" });
  return auditEvent(
    { caller, clientAddress: "192.0.2.9", requestId: "r-9" },
    {
      source: "survey",
      at: new Date("2026-03-01T12:00:00.123Z"),
      action: "survey.updated",
      resourceId: "survey0000000001",
      before: { name: "Old" },
      after: { name: "New \ud800 \u0000" },
      ...change,
    },
  );
}

const log = createLogger({ service: "test", level: "silent" });

async function entriesOf(system: TokenSystem, home: Workspace) {
  return (await system.audit.listAuditLog({}, await system.as(home.tokenValue))).page!.entries;
}

test("a change handed over by another service is in the log once, however often it comes", async () => {
  await using system = await startTokenSystem();
  const home = await system.createWorkspace();
  const event = changed(home);
  const created = changed(home, { action: "subscription.created", source: "webhook", before: {} });
  const handOver = (given: Event[]) => system.handOver(given, "audit");
  const answers = await Promise.all([handOver([event, created]), handOver([created, event]), handOver([event])]);
  expect(answers.map(({ length }) => length)).toEqual([2, 2, 1]);
  const entries = (await entriesOf(system, home)).slice(0, -firstActions.length);
  expect(entries).toHaveLength(2);
  expect(entries.find(({ entryId }) => entryId === event.eventId)).toMatchObject({
    actor: "person",
    personId: home.personId,
    personName: "Ada",
    tokenId: home.tokenId,
    tokenName: "Owner",
    clientAddress: "192.0.2.9",
    requestId: "r-9",
    action: "survey.updated",
    resourceType: "survey",
    resourceId: "survey0000000001",
    beforeJson: '{"name": "Old"}',
    afterJson: '{"name": "New \ufffd "}',
    occurredAt: event.occurredAt,
  });
});

test("actions of the platform have no person, and can be filtered", async () => {
  await using system = await startTokenSystem();
  const home = await system.createWorkspace();
  const { workspaceId } = home;
  const paused = platformAuditEvent(workspaceId, {
    source: "webhook",
    at: new Date("2026-03-01T12:00:00Z"),
    action: "subscription.paused",
    resourceId: "subscription0001",
    before: { status: "active" },
    after: { status: "paused" },
  });
  await system.handOver([paused, changed(home)], "audit");
  const by = async (actor: string) =>
    (await system.audit.listAuditLog({ query: { actor, limit: 10 } }, await system.as(home.tokenValue))).page!.entries;
  const [entry, ...others] = await by("platform");
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ actor: "platform", personId: "", tokenId: "", action: "subscription.paused" });
  expect((await by("operator")).map(({ actor }) => actor)).toEqual(firstActions.map(() => "operator"));
});

test("an entry that cannot be stored does not hold up the others", async () => {
  await using system = await startTokenSystem();
  const home = await system.createWorkspace();
  const broken = changed(home);
  if (broken.body.case === "auditRecorded") broken.body.value.afterJson = "{";
  const events = [changed(home), broken, changed(home)];
  await system.handOver(events, "audit");
  expect(await entriesOf(system, home)).toHaveLength(firstActions.length + 2);
  for (let tries = 0; tries < 5; tries += 1) await system.handOver([broken], "audit");
  expect(await system.sql("SELECT event_id FROM poison_events")).toEqual([{ event_id: broken.eventId }]);
});

const otherMigrations = fileURLToPath(new URL("../../survey/prisma/migrations", import.meta.url));

test.each(["over the bus", "by RPC, with no bus at all"])(
  "another service's outbox reaches the log %s",
  async (path) => {
    await using nats = path === "over the bus" ? await testNats() : undefined;
    const natsUrl = nats?.url ?? "nats://127.0.0.1:9";
    await using system = await startTokenSystem({ natsUrl });
    await using database = await createTestDatabase(otherMigrations);
    const home = await system.createWorkspace();
    await using stack = new AsyncDisposableStack();
    const pool = stack.adopt(new Pool({ connectionString: database.url }), (open) => open.end());
    const bus = stack.use(connectBus({ url: natsUrl, name: "survey", log }));
    const peerKey = system.config.CANVASS_PEER_KEY;
    const intakes = stack.use(connectIntakes("survey", () => system.url, { peerKey }));
    const outbox = stack.use(
      startOutbox({
        source: "survey",
        pool,
        bus,
        intakes,
        log,
        metrics: createMetrics("survey"),
        now: () => new Date(),
        unconfirmedAfterMs: nats ? 3_600_000 : 100,
        sweepIntervalMs: 50,
      }),
    );
    const events = Array.from({ length: 20 }, () => changed(home, { at: new Date() }));
    await inTransaction(pool, (sql) => appendEvents(sql, events));
    outbox.nudge();
    const emptied = async () => (await pool.query("SELECT 1 FROM outbox_events")).rowCount === 0;
    await waitFor(emptied, { describe: "all to be confirmed" });
    expect(await entriesOf(system, home)).toHaveLength(firstActions.length + 20);
  },
);
