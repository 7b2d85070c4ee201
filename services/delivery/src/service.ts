import { DeliveryService as DeliveryRpcs } from "@canvass/proto/delivery";
import { SubscriptionService } from "@canvass/proto/webhook";
import { bind } from "@canvass/rpc";
import { startService, type RunningService, type ServiceOverrides } from "@canvass/service";
import { createWebhookSender, readSenderSettings, type WebhookSenderOptions } from "@canvass/webhook-sender";
import { PrismaClient } from "../gen/prisma/client.ts";
import type { DeliveryConfig } from "./config.ts";
import { cancelWithoutPlan } from "./consumers/cancel-without-plan.ts";
import { queueDeliveries } from "./consumers/queue-deliveries.ts";
import type { DeliveryContext, DeliveryQueueContext, DeliveryShell } from "./context.ts";
import { createDeliveryMetrics } from "./worker/delivery-metrics.ts";
import { readWaits, standardWaits } from "./domain/retry-schedule.ts";
import { listDeliveries } from "./rpc/list-deliveries.ts";
import { startSending } from "./worker/start-sending.ts";

export interface DeliveryOverrides extends ServiceOverrides {
  random?: () => number;
  /** Longest pause in milliseconds without a nudge. */
  pollMs?: number;
  sender?: Pick<WebhookSenderOptions, "resolve" | "budgetMs" | "shareLookupsMs">;
}

export function startDeliveryService(
  config: DeliveryConfig,
  overrides: DeliveryOverrides = {},
): Promise<RunningService> {
  return startService({
    name: "delivery",
    config,
    overrides,
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    keepsIdempotencyRecords: false,
    createContext: (shell: DeliveryShell) => createContext(shell, config, overrides),
    consumers: { deliveries: queueDeliveries, "plan-cancellations": cancelWithoutPlan },
    routes: (router, context) => router.service(DeliveryRpcs, { listDeliveries: bind(context, listDeliveries) }),
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
  const context: DeliveryContext = {
    ...shell,
    random: overrides.random ?? Math.random,
    waits,
    subscriptions: shell.connect(SubscriptionService, { name: "webhook", url: config.CANVASS_WEBHOOK_URL }),
    sender: use(createWebhookSender({ ...readSenderSettings(config, log), ...overrides.sender })),
    attempts: createDeliveryMetrics(metrics, database.sql, now).attempts,
  };
  const worker = startSending(context, config, overrides.pollMs ?? 1000);
  return { ...context, nudgeWorker: () => worker.nudge() };
}
