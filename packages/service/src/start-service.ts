import { callerPublicKey, createCallerVerifier } from "@canvass/access";
import {
  connectIntakes,
  createEventReceiver,
  openEventBus,
  registerEventIntake,
  registerBusMetrics,
  registerConsumerLag,
  startConsumer,
  startOutbox,
  type Outbox,
  type OutboxOptions,
} from "@canvass/events";
import {
  createBodyMac,
  createCursorCodec,
  openDatabase,
  recognizeDatabaseError,
  type DisconnectablePrisma,
  type PrismaRaw,
} from "@canvass/postgres";
import { addressVariable } from "@canvass/processes";
import { hasConsumers } from "@canvass/processes/event-catalogue";
import { WorkspaceTransferService } from "@canvass/proto/transfer";
import { createRpcClient, registerCertificateEnds, startRpcHost, type RpcHost } from "@canvass/rpc";
import { readTlsFiles } from "@canvass/rpc/tls-files";
import { createLogger, createMetrics, registerProcessMetrics } from "@canvass/telemetry";
import pLimit from "p-limit";
import { housekeepingRepairs, startClockRepairs } from "./clock-repairs.ts";
import { registerDatabaseMetrics } from "./database-metrics.ts";
import type { ServiceDefinition } from "./definition.ts";
import { housekeepingPurges, startPurges } from "./purges.ts";
import type { Shell } from "./shell.ts";
import { transferRpcs } from "./transfer/transfer-rpcs.ts";
import { watchClock } from "./watch-clock.ts";
import { createWrite, type TransactionalPrisma } from "./write.ts";

export type RunningService = RpcHost;

/** Connections of the main pool reserved for reads and the outbox. Hot statements have a pool of their own. */
const reservedConnections = 2;

/** Starts a service, even while its database or NATS is down. Parts stop in reverse order of their start. */
export async function startService<
  Client extends PrismaRaw,
  Prisma extends DisconnectablePrisma & TransactionalPrisma<Client>,
  Context,
>(definition: ServiceDefinition<Client, Prisma, Context>): Promise<RunningService> {
  const { name, config, overrides, keepsIdempotencyRecords = true } = definition;
  const { log = createLogger({ service: name, level: config.CANVASS_LOG_LEVEL }) } = overrides;
  const clock = watchClock(overrides.now ?? (() => new Date()));
  const { now } = clock;
  await using starting = new AsyncDisposableStack();
  const metrics = createMetrics(name, config);
  const tls = readTlsFiles(config);
  registerProcessMetrics(metrics, { version: definition.version, now });
  const certificates = registerCertificateEnds(metrics, tls, definition.authorities);
  const peer = { peerKey: config.CANVASS_PEER_KEY, tls, metrics };
  const database = starting.use(
    openDatabase({
      url: config.DATABASE_URL,
      poolSize: config.CANVASS_DATABASE_POOL,
      applicationName: `canvass-${name}`,
      createPrisma: definition.createPrisma,
      onConnectionLost: (error) => log.warn({ err: error }, "an idle database connection was lost"),
      onConnected: (socket) => certificates.noteSocket("postgresql", socket),
    }),
  );
  const { sql, pool } = database;
  registerDatabaseMetrics(metrics, { main: pool, hot: database.hot.pool }, sql);
  const bus = starting.use(
    openEventBus(config, { name, log, onServerCertificate: (shown) => certificates.note("nats", shown) }),
  );
  registerBusMetrics(metrics, bus);
  const outbox = starting.use(openOutbox(definition, peer, { source: name, pool, bus, log, metrics, now }));
  // Writes hold connections while they wait for row locks.
  const limitWrites = pLimit(Math.max(pool.options.max - reservedConnections, 1));
  const macBody = createBodyMac(config.CANVASS_CURSOR_KEY);
  const shell: Shell<Prisma, Client> = {
    database,
    write: createWrite(database, limitWrites, outbox, bus),
    limitWrites,
    cursors: createCursorCodec(config.CANVASS_CURSOR_KEY),
    outbox,
    bus,
    verifyCaller: createCallerVerifier(callerPublicKey(config.CANVASS_CALLER_PUBLIC_KEY), now),
    now,
    log,
    metrics,
    connect: (service, options) => starting.use(createRpcClient(service, { ...options, ...peer })),
    use: (part) => starting.use(part),
  };
  const context = definition.createContext(shell);
  const receivers = Object.entries(definition.consumers).map(([consumer, consume]) =>
    createEventReceiver({ consumer, sql, log, metrics, now, store: (events) => consume(context, events) }),
  );
  registerConsumerLag(metrics, bus, Object.keys(definition.consumers));
  await definition.begin?.(context);
  const host = starting.use(
    await startRpcHost({
      config,
      databasePool: pool.options.max,
      macBody,
      now,
      log,
      metrics,
      recognizeError: recognizeDatabaseError,
      ...(config.CANVASS_OPERATOR_KEY !== undefined && { operatorKey: config.CANVASS_OPERATOR_KEY }),
      checks: { database: async () => (await sql.query("SELECT 1 AS alive")).length === 1 },
      routes: (router) => {
        definition.routes(router, context);
        router.service(WorkspaceTransferService, transferRpcs({ pool, now }, definition.transfer(context)));
        if (receivers.length > 0) registerEventIntake(router, receivers);
      },
    }),
  );
  for (const receiver of receivers) starting.use(startConsumer({ bus, receiver, log }));
  const { purgeMs: pauseMs = 60_000 } = overrides;
  const purges = [
    ...(keepsIdempotencyRecords ? [housekeepingPurges.idempotencyRecords] : []),
    ...(receivers.length > 0 ? [housekeepingPurges.consumedEvents] : []),
    ...(definition.purges ?? []),
  ];
  starting.use(startPurges(purges, { sql, now, log, metrics, pauseMs }));
  const repairs = [
    ...(hasConsumers(name) ? [housekeepingRepairs.outbox] : []),
    ...(receivers.length > 0 ? [housekeepingRepairs.poison] : []),
    ...(definition.clockRepairs ?? []),
  ];
  starting.use(startClockRepairs(repairs, { sql, pool: database.pool, clock, log, pauseMs }));
  const running = starting.move();
  return { url: host.url, opsUrl: host.opsUrl, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function openOutbox(
  { name, config }: Pick<ServiceDefinition<never, never, never>, "name" | "config">,
  peer: Parameters<typeof connectIntakes>[2],
  options: Omit<OutboxOptions, "intakes">,
): Outbox {
  if (!hasConsumers(name)) return { publish: () => {}, nudge: () => {}, [Symbol.asyncDispose]: async () => {} };
  const parts = new AsyncDisposableStack();
  const intakes = parts.use(connectIntakes(name, addressIn(name, config), peer));
  const outbox = parts.use(startOutbox({ ...options, intakes }));
  return { ...outbox, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

function addressIn(name: string, config: object): (service: string) => string {
  return (service) => {
    const url = (config as Record<string, string>)[addressVariable(service)];
    if (!url) throw new Error(`the service ${name} has no address of ${service}`);
    return url;
  };
}
