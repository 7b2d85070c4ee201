import { EventIntakeService } from "@canvass/proto/events";
import { TokenService } from "@canvass/proto/token";
import { FeedService, SubscriptionService } from "@canvass/proto/webhook";
import { SecretsOperatorService } from "@canvass/proto/webhook-operator";
import { bind, bindStream } from "@canvass/rpc";
import { createPush, requireTarget, startService, type RunningService, type ServiceOverrides } from "@canvass/service";
import { Histogram, type Logger, type Registry } from "@canvass/telemetry";
import { createWebhookSender, readSenderSettings, type ResolveHost, type WebhookSender } from "@canvass/webhook-sender";
import type { ConnectRouter } from "@connectrpc/connect";
import { PrismaClient } from "../gen/prisma/client.ts";
import type { WebhookConfig } from "./config.ts";
import { storeInFeed } from "./consumers/store-in-feed.ts";
import { storePlans } from "./consumers/store-plans.ts";
import type { WebhookContext, WebhookShell } from "./context.ts";
import { requireKeys } from "./application/keys/require-keys.ts";
import { createSecretKeys } from "./application/keys/secret-keys.ts";
import { createFetchPlanChanges } from "@canvass/plan-history";
import { purges } from "./purges.ts";
import { batchGetEndpoints } from "./rpc/batch-get-endpoints.ts";
import { batchGetWebhooks } from "./rpc/batch-get-webhooks.ts";
import { batchMatchWebhooks } from "./rpc/batch-match-webhooks.ts";
import { batchReportEndpointHealth } from "./rpc/batch-report-endpoint-health.ts";
import { createSubscription } from "./rpc/create-subscription.ts";
import { deleteSubscription } from "./rpc/delete-subscription.ts";
import { disableSubscription } from "./rpc/disable-subscription.ts";
import { explainEvent } from "./rpc/explain-event.ts";
import { getSubscription } from "./rpc/get-subscription.ts";
import { listEvents } from "./rpc/list-events.ts";
import { listSubscriptions } from "./rpc/list-subscriptions.ts";
import { rotateSecret } from "./rpc/rotate-secret.ts";
import { rotateSecretsKey } from "./rpc/rotate-secrets-key.ts";
import { updateSubscription } from "./rpc/update-subscription.ts";
import { repairListening } from "./application/repair-listening.ts";
import { transfer } from "./transfer.ts";
import manifest from "../package.json" with { type: "json" };

export interface WebhookOverrides extends ServiceOverrides {
  resolve?: ResolveHost;
}

export function startWebhookService(config: WebhookConfig, overrides: WebhookOverrides = {}): Promise<RunningService> {
  const { resolve } = overrides;
  return startService({
    name: "webhook",
    version: manifest.version,
    config,
    overrides,
    authorities: { "webhook-authority": config.CANVASS_WEBHOOK_CA_FILE },
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    createContext: (shell: WebhookShell) => createContext(shell, config, resolve),
    consumers: { feed: storeInFeed, plans: storePlans },
    purges,
    clockRepairs: [{ rows: "listening intervals", repair: repairListening }],
    begin: requireKeys,
    transfer: ({ secretKeys }) => transfer(secretKeys),
    routes,
  });
}

const target = { consumer: "webhook-changes", part: "delivery" };

function createContext(shell: WebhookShell, config: WebhookConfig, resolve: ResolveHost | undefined): WebhookContext {
  const tokens = shell.connect(TokenService, { name: "token", url: config.CANVASS_TOKEN_URL });
  const delivery = shell.connect(EventIntakeService, { name: "delivery", url: config.CANVASS_DELIVERY_URL });
  return {
    ...shell,
    sender: shell.use(createSender(config, shell.log, resolve)),
    fetchPlanChanges: createFetchPlanChanges(tokens, shell),
    pushChange: createPush(delivery, target, shell.log),
    requireDelivery: () => requireTarget(delivery, target),
    secretKeys: createSecretKeys(config.CANVASS_SECRETS_KEY, shell.database.sql),
    feedLag: createFeedLag(shell.metrics),
  };
}

/** Only checks destinations. Each check makes its own DNS lookup. */
function createSender(config: WebhookConfig, log: Logger, resolve: ResolveHost | undefined): WebhookSender {
  return createWebhookSender({ ...readSenderSettings(config, log), shareLookupsMs: 0, ...(resolve && { resolve }) });
}

function routes(router: ConnectRouter, context: WebhookContext): void {
  router.service(SubscriptionService, {
    createSubscription: bind(context, createSubscription),
    listSubscriptions: bind(context, listSubscriptions),
    getSubscription: bind(context, getSubscription),
    updateSubscription: bind(context, updateSubscription),
    rotateSecret: bind(context, rotateSecret),
    deleteSubscription: bind(context, deleteSubscription),
    batchGetWebhooks: bind(context, batchGetWebhooks),
    batchMatchWebhooks: bind(context, batchMatchWebhooks),
    batchGetEndpoints: bind(context, batchGetEndpoints),
    batchReportEndpointHealth: bind(context, batchReportEndpointHealth),
    disableSubscription: bind(context, disableSubscription),
  });
  router.service(FeedService, {
    listEvents: bind(context, listEvents),
    explainEvent: bind(context, explainEvent),
  });
  router.service(SecretsOperatorService, { rotateSecretsKey: bindStream(context, rotateSecretsKey) });
}

function createFeedLag(metrics: Registry): Histogram {
  return new Histogram({
    name: "canvass_feed_append_lag_seconds",
    help: "Time from an event to its place in the feed",
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
    registers: [metrics],
  });
}
