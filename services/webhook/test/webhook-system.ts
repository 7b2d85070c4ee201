import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { callerPrivateKey, newCaller, signCaller } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { newEvent } from "@canvass/events";
import { EventIntakeService, type Event } from "@canvass/proto/events";
import { FeedService, SubscriptionService } from "@canvass/proto/webhook";
import { callOptions, createRpcClient, type CallContext, type RpcClient } from "@canvass/rpc";
import { createLogger, type Logger } from "@canvass/telemetry";
import { createTestDatabase, fixedClock, type FixedClock } from "@canvass/testing";
import type { ResolveHost } from "@canvass/webhook-sender";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { readWebhookConfig, startWebhookService, type WebhookConfig } from "../src/index.ts";

/** The real service over a database of its own, spoken to through the real clients. */
export interface WebhookSystem extends AsyncDisposable {
  config: WebhookConfig;
  url: string;
  clock: FixedClock;
  subscriptions: RpcClient<typeof SubscriptionService>;
  feed: RpcClient<typeof FeedService>;
  intake: RpcClient<typeof EventIntakeService>;
  /** Call options of a person of that workspace. */
  as(workspaceId: string, fields?: { plan?: string } & CallContext): ReturnType<typeof callOptions>;
  sql(text: string, params?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Hands events over to a consumer, as the service that says them does when the bus is away. Default: the feed's. */
  handOver(events: Event[], consumer?: string): Promise<string[]>;
}

export interface WebhookSystemOptions {
  resolve?: ResolveHost;
  natsUrl?: string;
  log?: Logger;
  environment?: Record<string, string>;
}

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

/** Every name leads to a public address. */
const resolvePublic: ResolveHost = async () => ["93.184.216.34"];

export async function startWebhookSystem(options: WebhookSystemOptions = {}): Promise<WebhookSystem> {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await createTestDatabase(migrations));
  const keys = generateKeyPairSync("ed25519");
  const config = readWebhookConfig({
    CANVASS_RPC_HOST: "127.0.0.1",
    CANVASS_RPC_PORT: "0",
    CANVASS_OPS_HOST: "127.0.0.1",
    CANVASS_OPS_PORT: "0",
    CANVASS_PEER_KEY: randomBytes(32).toString("base64"),
    CANVASS_CALLER_PUBLIC_KEY: keys.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    CANVASS_TOKEN_URL: "http://127.0.0.1:9",
    CANVASS_SECRETS_KEY: randomBytes(32).toString("base64"),
    CANVASS_CURSOR_KEY: randomBytes(32).toString("base64"),
    DATABASE_URL: database.url,
    NATS_URL: options.natsUrl ?? "nats://127.0.0.1:9",
    ...options.environment,
  });
  const clock = fixedClock("2026-03-01T12:00:00Z");
  const log = options.log ?? createLogger({ service: "webhook", level: "silent" });
  const { resolve = resolvePublic } = options;
  const service = starting.use(await startWebhookService(config, { now: clock.now, log, resolve, purgeMs: 20 }));
  const address = { url: service.url, peerKey: config.CANVASS_PEER_KEY };
  const subscriptions = starting.use(createRpcClient(SubscriptionService, address));
  const feed = starting.use(createRpcClient(FeedService, address));
  const intake = starting.use(createRpcClient(EventIntakeService, address));
  const client = new Client({ connectionString: database.url });
  await client.connect();
  starting.defer(() => client.end());
  const signingKey = callerPrivateKey(keys.privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"));
  const running = starting.move();
  return {
    config,
    url: service.url,
    clock,
    subscriptions,
    feed,
    intake,
    as: (workspaceId, { plan = "enterprise", ...context } = {}) => {
      const expiresAt = timestampFromDate(new Date(clock.now().getTime() + 60_000));
      const caller = newCaller({ workspaceId, personId: "p1", tokenId: "t1", plan, live: true, expiresAt });
      return callOptions({ ...context, signedCaller: signCaller(caller, signingKey) });
    },
    sql: async (text, params) => (await client.query(text, params)).rows as Record<string, unknown>[],
    handOver: async (events, consumer = "feed") => (await intake.handOverEvents({ consumer, events })).storedEventIds,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

let completed = 0;

/** A completed response of that workspace. */
export function completion(workspaceId: string, occurredAt: Date): Event {
  completed += 1;
  const at = occurredAt.toISOString();
  const value = { surveyId: "survey", responseId: `response${completed}`, completedAt: at, timestamp: at };
  return newEvent({ workspaceId, occurredAt, body: { case: "responseCompleted", value } });
}

/** A move of that workspace to another plan. */
export function planChange(workspaceId: string, plan: string, occurredAt: Date): Event {
  return newEvent({ workspaceId, occurredAt, body: { case: "workspacePlanChanged", value: { plan } } });
}

/** The error with which a call was refused; fails the test when it was not. */
export async function refusal(call: Promise<unknown>): Promise<AppError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("the call was not refused");
}
