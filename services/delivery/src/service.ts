import { createKeyedSemaphore } from "@canvass/fairness";
import { DeliveryService as DeliveryRpcs } from "@canvass/proto/delivery";
import { TokenService } from "@canvass/proto/token";
import { SubscriptionService } from "@canvass/proto/webhook";
import { createFetchPlanChanges } from "@canvass/plan-history";
import { bind } from "@canvass/rpc";
import { startService, type RunningService, type ServiceOverrides } from "@canvass/service";
import { createWebhookSender, readSenderSettings, type WebhookSenderOptions } from "@canvass/webhook-sender";
import type { ConnectRouter } from "@connectrpc/connect";
import { PrismaClient } from "../gen/prisma/client.ts";
import { clockRepairs } from "./clock-repairs.ts";
import type { DeliveryConfig } from "./config.ts";
import { cancelWithoutPlan } from "./consumers/cancel-without-plan.ts";
import { queueDeliveries } from "./consumers/queue-deliveries.ts";
import { storeWebhookChanges } from "./consumers/store-webhook-changes.ts";
import type { DeliveryContext, DeliveryQueueContext, DeliveryShell } from "./context.ts";
import { createRefreshWebhooks } from "./application/webhooks/refresh-webhooks.ts";
import { createWebhooks } from "./application/webhooks/webhooks.ts";
import { createDeliveryMetrics } from "./application/worker/delivery-metrics.ts";
import { readWaits, standardWaits } from "./domain/retry-schedule.ts";
import { createPurges } from "./purges.ts";
import { listDeliveries } from "./rpc/list-deliveries.ts";
import { listEventDeliveries } from "./rpc/list-event-deliveries.ts";
import { redeliverDelivery } from "./rpc/redeliver-delivery.ts";
import { redeliverRange } from "./rpc/redeliver-range.ts";
import { sendTest, testLimits } from "./rpc/send-test.ts";
import { createInFlightIntake } from "./application/worker/in-flight-intake.ts";
import { startRangeRedeliveries } from "./application/worker/redeliver-ranges.ts";
import { startSending } from "./application/worker/start-sending.ts";
import { transfer } from "./transfer.ts";
import manifest from "../package.json" with { type: "json" };

export interface DeliveryOverrides extends ServiceOverrides {
  random?: () => number;
  /** Poll interval in milliseconds. Default 1,000. */
  pollMs?: number;
  sender?: Pick<WebhookSenderOptions, "resolve" | "budgetMs" | "shareLookupsMs">;
}

export function startDeliveryService(
  config: DeliveryConfig,
  overrides: DeliveryOverrides = {},
): Promise<RunningService> {
  return startService({
    name: "delivery",
    version: manifest.version,
    config,
    overrides,
    authorities: { "webhook-authority": config.CANVASS_WEBHOOK_CA_FILE },
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    createContext: (shell: DeliveryShell) => createContext(shell, config, overrides),
    consumers: {
      deliveries: queueDeliveries,
      "plan-cancellations": cancelWithoutPlan,
      "webhook-changes": storeWebhookChanges,
      "subscription-changes": storeWebhookChanges,
    },
    purges: createPurges(),
    clockRepairs: clockRepairs(readWaits(config.CANVASS_WEBHOOK_RETRY_SECONDS)),
    transfer: () => transfer,
    routes,
  });
}

function routes(router: ConnectRouter, context: DeliveryQueueContext): void {
  router.service(DeliveryRpcs, {
    listDeliveries: bind(context, listDeliveries),
    sendTest: bind(context, sendTest),
    redeliverDelivery: bind(context, redeliverDelivery),
    redeliverRange: bind(context, redeliverRange),
    listEventDeliveries: bind(context, listEventDeliveries),
  });
}

function createContext(
  shell: DeliveryShell,
  config: DeliveryConfig,
  overrides: DeliveryOverrides,
): DeliveryQueueContext {
  const { log, metrics, database, now, use } = shell;
  const waits = readWaits(config.CANVASS_WEBHOOK_RETRY_SECONDS);
  if (waits !== standardWaits) log.warn({ waits }, "webhooks are retried on a schedule of their own");
  const { attempts, begun } = createDeliveryMetrics(metrics, database.sql, now);
  const subscriptions = shell.connect(SubscriptionService, { name: "webhook", url: config.CANVASS_WEBHOOK_URL });
  const tokens = shell.connect(TokenService, { name: "token", url: config.CANVASS_TOKEN_URL });
  const refreshWebhooks = createRefreshWebhooks(subscriptions, shell);
  const context: DeliveryContext = {
    ...shell,
    random: overrides.random ?? Math.random,
    waits,
    subscriptions,
    refreshWebhooks,
    webhooks: createWebhooks({
      ...shell,
      secretsKey: config.CANVASS_SECRETS_KEY,
      refreshWebhooks,
      fetchPlanChanges: createFetchPlanChanges(tokens, shell),
    }),
    sender: use(createWebhookSender({ ...readSenderSettings(config, log), ...overrides.sender })),
    attempts,
    begun,
    intake: createInFlightIntake(),
    testPermits: createKeyedSemaphore(testLimits),
  };
  const { pollMs = 1000 } = overrides;
  const worker = startSending(context, {
    maxRunning: config.CANVASS_WEBHOOK_CONCURRENCY,
    maxPerEndpoint: config.CANVASS_WEBHOOK_ENDPOINT_CONCURRENCY,
    pollMs,
  });
  const nudgeWorker = () => worker.nudge();
  const ranges = use(startRangeRedeliveries(context, nudgeWorker, pollMs));
  return { ...context, queues: worker.queues, nudgeWorker, nudgeRanges: () => ranges.nudge() };
}
