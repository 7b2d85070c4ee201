import { inTransaction, sqlFromPg, type Sql } from "@canvass/postgres";
import { createMetrics, createLogger, logLevelOf, type Registry } from "@canvass/telemetry";
import { createTestDatabase, testNats, waitFor, type TestNats } from "@canvass/testing";
import { startRpcServer, type RpcServer } from "@canvass/rpc";
import { createCallerVerifier } from "@canvass/access";
import type { Event } from "@canvass/proto/events";
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { Pool } from "pg";
import { connectBus, type Bus } from "../src/bus.ts";
import { connectIntakes } from "../src/connect-intakes.ts";
import { startConsumer } from "../src/consumer.ts";
import { createEventReceiver, type EventReceiver, type StoreEvents } from "../src/event-receiver.ts";
import { claimNewEvents } from "../src/inbox.ts";
import { registerEventIntake } from "../src/intake.ts";
import { newEvent, appendEvents } from "../src/append-events.ts";
import type { StreamSettings } from "../src/streams.ts";
import { startOutbox, type Outbox, type OutboxOptions } from "../src/start-outbox.ts";

export const CONSUMERS = ["feed", "deliveries", "response-counts"] as const;
const PEER_KEY = "peer";
export const now = () => new Date();

export const silent = createLogger({
  service: "test",
  level: logLevelOf(process.env["TEST_LOG"]) ?? "silent",
  pretty: false,
});

/** One database, one NATS server, and what a source and its consumers are made of. Everything ends with it. */
export interface EventPath extends AsyncDisposable {
  nats: TestNats;
  pool: Pool;
  sql: Sql;
  /** Where EventIntakeService is served. */
  intakeUrl: string;
  /** Appends events to the outbox in one transaction, without a nudge. Returns their ids. */
  append(count: number): Promise<string[]>;
  /** Connects to the bus. */
  bus(stream?: StreamSettings): Bus;
  /** Starts an outbox of the source. */
  source(options?: Partial<OutboxOptions>): Outbox;
  /** Starts consumers on the bus and behind the intake. */
  consume(options?: ConsumeOptions): Consuming;
  /** How often each event had its effect, by consumer. */
  effects(): Promise<Map<string, Map<string, number>>>;
  /** Waits for an empty outbox. Returns a line for each event and consumer whose effect did not happen exactly once. */
  faults(eventIds: readonly string[]): Promise<string[]>;
  outboxSize(): Promise<number>;
}

export interface ConsumeOptions {
  consumers?: readonly string[];
  /** Called instead of storing the effect, which its argument `store` does. */
  store?: (consumer: string, events: Event[], store: StoreEvents) => Promise<readonly string[] | void>;
  bus?: Bus;
}

export interface Consuming extends AsyncDisposable {
  receivers: Map<string, EventReceiver>;
  metrics: Registry;
}

export async function openEventPath(options: { nats?: boolean } = {}): Promise<EventPath> {
  const open = new AsyncDisposableStack();
  const database = open.use(await createTestDatabase(join(import.meta.dirname, "fixture/prisma/migrations")));
  const nats = open.use(await testNats());
  if (options.nats === false) await nats.stop();
  const pool = open.adopt(new Pool({ connectionString: database.url, max: 12 }), (owned) => owned.end());
  // A test that fails may leave a query behind, whose connection breaks with the database.
  pool.on("error", () => undefined);
  const sql = sqlFromPg(pool);
  const receivers = new Map<string, EventReceiver>();
  const intake = open.use(await startIntake(receivers));
  const intakes = open.use(connectIntakes("response", () => intake.url, { peerKey: PEER_KEY }));

  function bus(stream?: StreamSettings): Bus {
    return open.use(connectBus({ url: nats.url, name: "test", log: silent, stream }));
  }

  function effectOf(consumer: string): StoreEvents {
    return (events) =>
      inTransaction(pool, async (sql) => {
        const fresh = await claimNewEvents(sql, consumer, events, now());
        const ids = fresh.map(({ eventId }) => eventId);
        await sql.query(`INSERT INTO effects (consumer, event_id) SELECT $1, unnest($2::text[])`, [consumer, ids]);
      });
  }

  function consume({ consumers = CONSUMERS, store, bus: given }: ConsumeOptions = {}): Consuming {
    const on = given ?? bus();
    const metrics = createMetrics("test");
    const mine = consumers.map((consumer) => {
      const effect = effectOf(consumer);
      const used: StoreEvents = store ? (events) => store(consumer, events, effect) : effect;
      return createEventReceiver({ consumer, sql, store: used, log: silent, metrics, now });
    });
    for (const receiver of mine) receivers.set(receiver.consumer, receiver);
    const started = new AsyncDisposableStack();
    for (const receiver of mine) started.use(startConsumer({ bus: on, receiver, log: silent }));
    open.use(started);
    return {
      receivers: new Map(mine.map((receiver) => [receiver.consumer, receiver])),
      metrics,
      [Symbol.asyncDispose]: () => started.disposeAsync(),
    };
  }

  async function effects(): Promise<Map<string, Map<string, number>>> {
    const rows = await sql.query<{ consumer: string; eventId: string; times: number }>(
      `SELECT consumer, event_id AS "eventId", count(*)::int AS times FROM effects GROUP BY 1, 2`,
    );
    const counted = new Map<string, Map<string, number>>(CONSUMERS.map((consumer) => [consumer, new Map()]));
    for (const { consumer, eventId, times } of rows) counted.get(consumer)!.set(eventId, times);
    return counted;
  }

  async function outboxSize(): Promise<number> {
    const [row] = await sql.query<{ size: number }>(`SELECT count(*)::int AS size FROM outbox_events`);
    return row!.size;
  }

  return {
    nats,
    pool,
    sql,
    intakeUrl: intake.url,
    bus,
    consume,
    effects,
    outboxSize,
    async append(count) {
      const events = Array.from({ length: count }, someEvent);
      await inTransaction(pool, (sql) => appendEvents(sql, events));
      return events.map(({ eventId }) => eventId);
    },
    source(given = {}) {
      const metrics = createMetrics("test");
      return open.use(
        startOutbox({
          source: "response",
          pool,
          bus: given.bus ?? bus(),
          intakes,
          log: silent,
          metrics,
          now,
          ...given,
        }),
      );
    },
    async faults(eventIds) {
      await waitFor(async () => (await outboxSize()) === 0, { describe: "an empty outbox" });
      return [...(await effects())].flatMap(([consumer, counted]) =>
        eventIds
          .map((eventId) => counted.get(eventId) ?? 0)
          .filter((times) => times !== 1)
          .map((times) => `${consumer}: ${times} times`),
      );
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** A store that always leaves out these events. */
export const leavingOut =
  (eventIds: ReadonlySet<string>): ConsumeOptions["store"] =>
  async (_consumer, events, store) => {
    const others = events.filter(({ eventId }) => !eventIds.has(eventId));
    if (others.length > 0) await store(others);
    return others.map(({ eventId }) => eventId);
  };

let events = 0;

export function someEvent(): Event {
  return newEvent({
    workspaceId: `w${(events += 1) % 5}`,
    occurredAt: new Date(),
    body: { case: "responseCompleted", value: { surveyId: "s", responseId: "r", completedAt: "c", timestamp: "t" } },
  });
}

/** Starts a process that serves hand-overs for every consumer, by the receivers that the map has at the time. */
function startIntake(receivers: Map<string, EventReceiver>): Promise<RpcServer> {
  const proxies = CONSUMERS.map((consumer): EventReceiver => {
    const current = () => {
      const receiver = receivers.get(consumer);
      if (!receiver) throw new Error(`${consumer} does not run`);
      return receiver;
    };
    return {
      consumer,
      receive: (events) => current().receive(events),
      retryPoison: () => current().retryPoison(),
      makePoisonDue: () => current().makePoisonDue(),
    };
  });
  return startRpcServer({
    host: "127.0.0.1",
    port: 0,
    log: silent,
    metrics: createMetrics("test"),
    verifyCaller: createCallerVerifier(generateKeyPairSync("ed25519").publicKey, now),
    peerKey: PEER_KEY,
    checks: {},
    routes: (router) => registerEventIntake(router, proxies),
  });
}
