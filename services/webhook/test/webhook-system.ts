import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Event } from "@canvass/proto/events";
import { FeedService, SubscriptionService } from "@canvass/proto/webhook";
import { callOptions, type CallContext } from "@canvass/rpc";
import {
  auditEntries,
  outboxEvents,
  signedPerson,
  startTestService,
  startTokenDouble,
  createIntakeDouble,
  startDouble,
  type TestServiceOptions,
} from "@canvass/service/testing";
import type { ResolveHost } from "@canvass/webhook-sender";
import type { CallOptions } from "@connectrpc/connect";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readWebhookConfig, startWebhookService } from "../src/index.ts";

export { completion, planChange, refusal } from "@canvass/service/testing";

/** Resolves every name to a public address. */
const resolvePublic: ResolveHost = async () => ["93.184.216.34"];

const as = (workspaceId: string, { plan = "enterprise", ...context }: { plan?: string } & CallContext = {}) =>
  callOptions({
    ...context,
    signedCaller: signedPerson({ workspaceId, plan, personName: "Ada", tokenName: "CI" }),
  });

let workspaces = 0;

/** An id that no other test of the file uses. */
export const newWorkspace = (): string => `workspace${String((workspaces += 1)).padStart(7, "0")}`;

export interface SubscriptionChange {
  subscriptionId: string;
  [field: string]: unknown;
}

export async function startWebhookSystem({
  resolve = resolvePublic,
  ...options
}: TestServiceOptions & { resolve?: ResolveHost } = {}) {
  await using starting = new AsyncDisposableStack();
  const tokens = starting.use(await startTokenDouble());
  const delivery = createIntakeDouble();
  const deliveries = starting.use(await startDouble(delivery.routes));
  const secretsKey = randomBytes(32).toString("base64");
  const started = await startTestService(
    {
      folder: join(import.meta.dirname, ".."),
      readConfig: readWebhookConfig,
      start: (config, overrides) => startWebhookService(config, { resolve, purgeMs: 20, ...overrides }),
    },
    {
      ...options,
      environment: {
        CANVASS_SECRETS_KEY: secretsKey,
        CANVASS_TOKEN_URL: tokens.url,
        CANVASS_DELIVERY_URL: deliveries.url,
        ...options.environment,
      },
    },
  );
  const service = starting.use(started);
  const running = starting.move();
  const client = service.client(SubscriptionService);
  /** Takes HTTP bodies as objects. */
  const subscriptions = {
    ...client,
    createSubscription: (body: object, options: CallOptions) =>
      client.createSubscription({ bodyJson: JSON.stringify(body) }, options),
    updateSubscription: ({ subscriptionId, ...body }: SubscriptionChange, options: CallOptions) =>
      client.updateSubscription({ subscriptionId, bodyJson: JSON.stringify(body) }, options),
  };
  const published = (workspaceId: string) => outboxEvents(service.sql, workspaceId);
  return {
    ...service,
    tokens,
    /** Takes pushed changes. */
    delivery,
    secretsKey,
    subscriptions,
    feed: service.client(FeedService),
    /** Default consumer: the feed. */
    handOver: (events: Event[], consumer = "feed") => service.handOver(events, consumer),
    as,
    /** Events that the service published for others, oldest first. */
    published,
    audited: (workspaceId: string) => auditEntries(service.sql, workspaceId),
    notified: async (workspaceId: string) =>
      (await published(workspaceId)).flatMap(({ body }) => (body.case === "notificationRequested" ? [body.value] : [])),
    /** Ids of the webhooks that get completions of that time. */
    listening: async (workspaceId: string, occurredAt: Date): Promise<string[]> => {
      const event = { workspaceId, type: "response.completed", occurredAt: timestampFromDate(occurredAt) };
      return (await subscriptions.batchMatchWebhooks({ events: [event] })).matches[0]!.subscriptionIds;
    },
    endpoint: async (workspaceId: string, subscriptionId: string) =>
      (await subscriptions.batchGetEndpoints({ endpoints: [{ workspaceId, subscriptionId }] })).endpoints[0]!,
    /** Without a URL it creates a feed. */
    createHook: (workspaceId: string, url?: string, name = "Hook") =>
      subscriptions.createSubscription({ name, url }, as(workspaceId)),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export type WebhookSystem = Awaited<ReturnType<typeof startWebhookSystem>>;
