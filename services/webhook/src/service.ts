import {
  connectIntakes,
  createEventReceiver,
  openEventBus,
  registerEventIntake,
  startConsumer,
  startInboxPurge,
  startOutbox,
  type EventReceiver,
} from "@canvass/events";
import { createCursorCodec, openDatabase, recogniseDatabaseError, type Database } from "@canvass/postgres";
import { idempotencyService } from "@canvass/postgres/rpc";
import { IdempotencyService } from "@canvass/proto/rpc";
import { FeedService, SubscriptionService } from "@canvass/proto/webhook";
import { bind, clientTls, startRpcHost, type RpcHost } from "@canvass/rpc";
import { createLogger, createMetrics, Histogram, type Logger, type Registry } from "@canvass/telemetry";
import { createWebhookSender, readSenderSettings, type ResolveHost } from "@canvass/webhook-sender";
import type { ConnectRouter } from "@connectrpc/connect";
import { PrismaClient } from "../gen/prisma/client.ts";
import type { WebhookConfig } from "./config.ts";
import { storeInFeed } from "./consumers/store-in-feed.ts";
import { storePlans } from "./consumers/store-plans.ts";
import type { WebhookContext } from "./context.ts";
import { createSecretBox } from "./domain/sealed-secrets.ts";
import { startPurge } from "./purge.ts";
import { batchGetEndpoints } from "./rpc/batch-get-endpoints.ts";
import { batchMatchWebhooks } from "./rpc/batch-match-webhooks.ts";
import { batchReportEndpointHealth } from "./rpc/batch-report-endpoint-health.ts";
import { createSubscription } from "./rpc/create-subscription.ts";
import { deleteSubscription } from "./rpc/delete-subscription.ts";
import { disableSubscription } from "./rpc/disable-subscription.ts";
import { getSubscription } from "./rpc/get-subscription.ts";
import { listEvents } from "./rpc/list-events.ts";
import { listSubscriptions } from "./rpc/list-subscriptions.ts";

export type WebhookService = RpcHost;

export interface WebhookOverrides {
  now?: () => Date;
  log?: Logger;
  resolve?: ResolveHost;
  purgePauseMs?: number;
}

/** Starts the service; it is ready once its database answers. Disposing drains calls, then closes what they used. */
export async function startWebhookService(
  config: WebhookConfig,
  overrides: WebhookOverrides = {},
): Promise<WebhookService> {
  const { now = () => new Date(), log = createLogger({ service: "webhook", level: config.CANVASS_LOG_LEVEL }) } =
    overrides;
  const { resolve, purgePauseMs } = overrides;
  const metrics = createMetrics("webhook");
  await using starting = new AsyncDisposableStack();
  const settings = readSenderSettings(config, log);
  const sender = starting.use(createWebhookSender({ ...settings, ...(resolve ? { resolve } : {}) }));
  const database = starting.use(openWebhookDatabase(config, log));
  const tls = clientTls(config);
  const bus = starting.use(openEventBus(config, { name: "webhook", log }));
  const intakes = starting.use(
    connectIntakes("webhook", (service) => addressOf(config, service), {
      peerKey: config.CANVASS_PEER_KEY,
      tls,
      metrics,
    }),
  );
  const outbox = starting.use(startOutbox({ source: "webhook", pool: database.pool, bus, intakes, log, metrics, now }));
  const context: WebhookContext = {
    database,
    now,
    log,
    sender,
    secretBox: createSecretBox(config.CANVASS_SECRETS_KEY),
    cursors: createCursorCodec(config.CANVASS_CURSOR_KEY),
    feedLag: createFeedLag(metrics),
    nudgeOutbox: () => outbox.nudge(),
  };
  const receiving = { sql: database.sql, log, metrics, now };
  const receivers = [
    createEventReceiver({ ...receiving, consumer: "feed", store: (events) => storeInFeed(context, events) }),
    createEventReceiver({ ...receiving, consumer: "plans", store: (events) => storePlans(context, events) }),
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
  starting.use(startPurge(context, purgePauseMs === undefined ? {} : { pauseMs: purgePauseMs }));
  const running = starting.move();
  return { url: host.url, opsUrl: host.opsUrl, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function openWebhookDatabase(config: WebhookConfig, log: Logger): Database<PrismaClient> {
  return openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.CANVASS_DATABASE_POOL,
    applicationName: "webhook",
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    onConnectionLost: (error) => log.warn({ err: error }, "an idle database connection was lost"),
  });
}

function createFeedLag(metrics: Registry): Histogram {
  return new Histogram({
    name: "canvass_feed_append_lag_seconds",
    help: "Time from an event to its place in the feed",
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
    registers: [metrics],
  });
}

/** Where those are reached who await this service's events, as the event catalogue lists them. */
function addressOf(config: WebhookConfig, service: string): string {
  if (service === "token") return config.CANVASS_TOKEN_URL;
  throw new Error(`the address of the service ${service} is not known`);
}

function registerRpcs(router: ConnectRouter, context: WebhookContext, receivers: readonly EventReceiver[]): void {
  router.service(SubscriptionService, {
    createSubscription: bind(context, createSubscription),
    listSubscriptions: bind(context, listSubscriptions),
    getSubscription: bind(context, getSubscription),
    deleteSubscription: bind(context, deleteSubscription),
    batchMatchWebhooks: bind(context, batchMatchWebhooks),
    batchGetEndpoints: bind(context, batchGetEndpoints),
    batchReportEndpointHealth: bind(context, batchReportEndpointHealth),
    disableSubscription: bind(context, disableSubscription),
  });
  router.service(FeedService, { listEvents: bind(context, listEvents) });
  router.service(IdempotencyService, idempotencyService(context.database.sql, context.now));
  registerEventIntake(router, receivers);
}
