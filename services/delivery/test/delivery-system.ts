import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newCaller, signCaller } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { externalEvent, externalEventBody, newEvent } from "@canvass/events";
import { DeliveryService, type Delivery } from "@canvass/proto/delivery";
import { EventIntakeService, type Event } from "@canvass/proto/events";
import { callOptions, createRpcClient, type RpcClient } from "@canvass/rpc";
import { createLogger } from "@canvass/telemetry";
import { createTestDatabase, fixedClock, waitFor, type FixedClock } from "@canvass/testing";
import { testReceiver, type TestReceiver } from "@canvass/testing/https-receiver";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { readDeliveryConfig, startDeliveryService, type DeliveryConfig, type DeliveryOverrides } from "../src/index.ts";
import { createDeliveries } from "../src/storage/create-deliveries.ts";
import { startFakeWebhookService, type FakeEndpoint, type FakeWebhookService } from "./fake-webhook-service.ts";

/** The real service over a database of its own, with a webhook service that answers from a list and a real receiver. */
export interface DeliverySystem extends AsyncDisposable {
  config: DeliveryConfig;
  clock: FixedClock;
  webhooks: FakeWebhookService;
  receiver: TestReceiver;
  deliveries: RpcClient<typeof DeliveryService>;
  /** The environment of the service, to run it as a process of its own. */
  environment: Record<string, string>;
  as(workspaceId: string): ReturnType<typeof callOptions>;
  sql(text: string, params?: unknown[]): Promise<Record<string, unknown>[]>;
  /** To the consumer that queues, unless told otherwise. */
  handOver(events: Event[], consumer?: string): Promise<string[]>;
  /** A webhook of a new workspace that leads to the receiver. */
  addEndpoint(fields?: Partial<FakeEndpoint>): FakeEndpoint;
  list(endpoint: FakeEndpoint, status?: string): Promise<Delivery[]>;
  /** Waits until the endpoint's newest deliveries are all in that status with that many attempts. */
  settled(endpoint: FakeEndpoint, status: string, attempts: number): Promise<Delivery[]>;
  /** Queues a delivery of an event, without a service. */
  queue(endpoint: FakeEndpoint, event: Event): Promise<void>;
  stopService(): Promise<void>;
  /** Starts the service again, or a second one beside it. */
  startService(overrides?: DeliveryOverrides): Promise<AsyncDisposable>;
}

export interface DeliverySystemOptions {
  environment?: Record<string, string>;
  overrides?: DeliveryOverrides;
}

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));
const secret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
let counter = 0;
const id = (): string => `id${String((counter += 1)).padStart(14, "0")}`;

export async function startDeliverySystem(options: DeliverySystemOptions = {}): Promise<DeliverySystem> {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await createTestDatabase(migrations));
  const receiver = starting.use(await testReceiver());
  const directory = await mkdtemp(join(tmpdir(), "canvass-delivery-"));
  starting.defer(() => rm(directory, { recursive: true }));
  const caFile = join(directory, "receiver-ca.pem");
  await writeFile(caFile, receiver.ca);
  const keys = generateKeyPairSync("ed25519");
  const clock = fixedClock("2026-03-01T12:00:00Z");
  const peerKey = randomBytes(32).toString("base64");
  const webhooks = starting.use(await startFakeWebhookService({ peerKey, callerKey: keys.publicKey, now: clock.now }));
  const environment = {
    CANVASS_RPC_HOST: "127.0.0.1",
    CANVASS_RPC_PORT: "0",
    CANVASS_OPS_HOST: "127.0.0.1",
    CANVASS_OPS_PORT: "0",
    CANVASS_PEER_KEY: peerKey,
    CANVASS_CALLER_PUBLIC_KEY: keys.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    CANVASS_CURSOR_KEY: randomBytes(32).toString("base64"),
    CANVASS_WEBHOOK_URL: webhooks.url,
    CANVASS_WEBHOOK_ALLOWED_CIDRS: "127.0.0.1/32",
    CANVASS_WEBHOOK_CA_FILE: caFile,
    DATABASE_URL: database.url,
    NATS_URL: "nats://127.0.0.1:9",
    ...options.environment,
  };
  const config = readDeliveryConfig(environment);
  const log = createLogger({ service: "delivery", level: process.env["TEST_LOG"] ?? "silent" });
  const startService = (overrides: DeliveryOverrides = {}) =>
    startDeliveryService(config, { now: clock.now, log, pollMs: 20, ...options.overrides, ...overrides });
  const service = await startService();
  let stopped: Promise<void> | undefined;
  const stopService = () => (stopped ??= Promise.resolve(service[Symbol.asyncDispose]()));
  starting.defer(stopService);
  const address = { url: service.url, peerKey };
  const deliveries = starting.use(createRpcClient(DeliveryService, address));
  const intake = starting.use(createRpcClient(EventIntakeService, address));
  const client = new Client({ connectionString: database.url });
  await client.connect();
  starting.defer(() => client.end());
  const running = starting.move();

  const as = (workspaceId: string) => {
    const expiresAt = timestampFromDate(new Date(clock.now().getTime() + 60_000));
    const caller = newCaller({ workspaceId, personId: "p1", tokenId: "t1", plan: "enterprise", live: true, expiresAt });
    return callOptions({ signedCaller: signCaller(caller, keys.privateKey) });
  };
  const list = async ({ workspaceId, subscriptionId }: FakeEndpoint, status = "") =>
    (await deliveries.listDeliveries({ subscriptionId, status, limit: 100 }, as(workspaceId))).deliveries;
  return {
    config,
    clock,
    webhooks,
    receiver,
    deliveries,
    environment,
    as,
    list,
    startService,
    stopService,
    queue: async ({ workspaceId, subscriptionId }, event) => {
      const external = externalEvent(event)!;
      const body = externalEventBody(external);
      const delivery = {
        workspaceId,
        subscriptionId,
        deliveryId: id(),
        eventId: event.eventId,
        eventType: external.type,
      };
      const sql = {
        query: async <Row>(text: string, params?: readonly unknown[]) =>
          (await client.query(text, [...(params ?? [])])).rows as Row[],
      };
      await createDeliveries(sql, [{ ...delivery, body }], clock.now());
    },
    sql: async (text, params) => (await client.query(text, params)).rows as Record<string, unknown>[],
    handOver: async (events, consumer = "deliveries") =>
      (await intake.handOverEvents({ consumer, events })).storedEventIds,
    addEndpoint: (fields = {}) => {
      const url = `${receiver.url}/${id()}`;
      const endpoint = { workspaceId: id(), subscriptionId: id(), url, secrets: [secret()], ...fields };
      webhooks.endpoints.push(endpoint);
      return endpoint;
    },
    settled: (endpoint, status, attempts) =>
      waitFor(
        async () => {
          const found = await list(endpoint);
          const done = found.every((one) => one.status === status && one.attempts.length === attempts);
          return found.length > 0 && done ? found : undefined;
        },
        { describe: `${status} deliveries with ${attempts} attempts` },
      ),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A completed response of that workspace. */
export function completion(workspaceId: string, occurredAt: Date): Event {
  const at = occurredAt.toISOString();
  const value = { surveyId: "survey", responseId: id(), completedAt: at, timestamp: at };
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
