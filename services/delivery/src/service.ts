import {
  createEventReceiver,
  openEventBus,
  registerEventIntake,
  startConsumer,
  startInboxPurge,
  type EventReceiver,
} from "@canvass/events";
import { createCursorCodec, openDatabase, recogniseDatabaseError, type Database } from "@canvass/postgres";
import { DeliveryService as DeliveryRpcs } from "@canvass/proto/delivery";
import type { Event } from "@canvass/proto/events";
import { SubscriptionService } from "@canvass/proto/webhook";
import { bind, clientTls, createRpcClient, startRpcHost, type RpcHost } from "@canvass/rpc";
import { createLogger, createMetrics, type Logger } from "@canvass/telemetry";
import { createWebhookSender, readSenderSettings, type WebhookSenderOptions } from "@canvass/webhook-sender";
import type { ConnectRouter } from "@connectrpc/connect";
import { PrismaClient } from "../gen/prisma/client.ts";
import type { DeliveryConfig } from "./config.ts";
import { cancelWithoutPlan } from "./consumers/cancel-without-plan.ts";
import { queueDeliveries } from "./consumers/queue-deliveries.ts";
import type { DeliveryContext } from "./context.ts";
import { createDeliveryMetrics } from "./delivery-metrics.ts";
import { readWaits, standardWaits } from "./domain/retry-schedule.ts";
import { listDeliveries } from "./rpc/list-deliveries.ts";
import { startDisabling } from "./worker/disable-endpoints.ts";
import { startHealthReports } from "./worker/report-health.ts";
import { startWorker } from "./worker/worker.ts";

export type DeliveryService = RpcHost;

export interface DeliveryOverrides {
  now?: () => Date;
  random?: () => number;
  log?: Logger;
  /** Milliseconds between looks for due deliveries when nothing calls for one. */
  pollMs?: number;
  sender?: Pick<WebhookSenderOptions, "resolve" | "budgetMs" | "shareLookupsMs">;
}

/** Starts the service; it is ready once its database answers. Disposing ends the attempts under way and records them. */
export async function startDeliveryService(
  config: DeliveryConfig,
  overrides: DeliveryOverrides = {},
): Promise<DeliveryService> {
  const { now = () => new Date(), random = Math.random, pollMs = 1000 } = overrides;
  const { log = createLogger({ service: "delivery", level: config.CANVASS_LOG_LEVEL }) } = overrides;
  const metrics = createMetrics("delivery");
  const waits = readWaits(config.CANVASS_WEBHOOK_RETRY_SECONDS);
  if (waits !== standardWaits) log.warn({ waits }, "webhooks are retried on a schedule of their own");
  await using starting = new AsyncDisposableStack();
  const sender = starting.use(createWebhookSender({ ...readSenderSettings(config, log), ...overrides.sender }));
  const database = starting.use(openDeliveryDatabase(config, log));
  const tls = clientTls(config);
  const bus = starting.use(openEventBus(config, { name: "delivery", log }));
  const subscriptions = starting.use(
    createRpcClient(SubscriptionService, {
      name: "webhook",
      url: config.CANVASS_WEBHOOK_URL,
      peerKey: config.CANVASS_PEER_KEY,
      tls,
      metrics,
    }),
  );
  const cursors = createCursorCodec(config.CANVASS_CURSOR_KEY);
  const { attempts } = createDeliveryMetrics(metrics, database.sql, now);
  const context: DeliveryContext = { database, now, random, log, subscriptions, sender, cursors, waits, attempts };
  const disabling = starting.use(startDisabling(context));
  starting.use(startHealthReports(context, Math.min(pollMs, 1000)));
  const worker = starting.use(
    startWorker(context, {
      maxRunning: config.CANVASS_WEBHOOK_CONCURRENCY,
      maxPerEndpoint: config.CANVASS_WEBHOOK_ENDPOINT_CONCURRENCY,
      pollMs,
      onDisable: () => disabling.nudge(),
    }),
  );
  const store = async (events: Event[]): Promise<void> => {
    await queueDeliveries(context, events);
    worker.nudge();
  };
  const cancel = (events: Event[]) => cancelWithoutPlan(context, events);
  const receiving = { sql: database.sql, log, metrics, now };
  const receivers = [
    createEventReceiver({ ...receiving, consumer: "deliveries", store }),
    createEventReceiver({ ...receiving, consumer: "plan-cancellations", store: cancel }),
  ];
  const host = starting.use(
    await startRpcHost({
      config,
      databasePool: config.CANVASS_DATABASE_POOL,
      now,
      log,
      metrics,
      recogniseError: recogniseDatabaseError,
      checks: { database: async () => (await database.sql.query("SELECT 1")).length === 1 },
      routes: (router) => registerRpcs(router, context, receivers),
    }),
  );
  for (const receiver of receivers) starting.use(startConsumer({ bus, receiver, log }));
  starting.use(startInboxPurge({ sql: database.sql, now, log }));
  const running = starting.move();
  return { url: host.url, opsUrl: host.opsUrl, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function openDeliveryDatabase(config: DeliveryConfig, log: Logger): Database<PrismaClient> {
  return openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.CANVASS_DATABASE_POOL,
    applicationName: "delivery",
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    onConnectionLost: (error) => log.warn({ err: error }, "an idle database connection was lost"),
  });
}

function registerRpcs(router: ConnectRouter, context: DeliveryContext, receivers: readonly EventReceiver[]): void {
  router.service(DeliveryRpcs, { listDeliveries: bind(context, listDeliveries) });
  registerEventIntake(router, receivers);
}
