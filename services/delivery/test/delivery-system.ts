import { externalEvent, externalEventBody } from "@canvass/events";
import { newId } from "@canvass/values";
import { sqlFromPg } from "@canvass/postgres";
import { DeliveryService } from "@canvass/proto/delivery";
import type { Event } from "@canvass/proto/events";
import { callOptions } from "@canvass/rpc";
import { completion, signedPerson, startTestService, startTokenDouble } from "@canvass/service/testing";
import { createTestDatabase, waitFor } from "@canvass/testing";
import { testReceiver } from "@canvass/testing/https-receiver";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { readDeliveryConfig, startDeliveryService, type DeliveryConfig, type DeliveryOverrides } from "../src/index.ts";
import { insertDeliveries } from "../src/storage/insert-deliveries.ts";
import { startFakeWebhookService, type FakeEndpoint, type FakeWebhookService } from "./fake-webhook-service.ts";

export { completion, planChange, refusal } from "@canvass/service/testing";

export interface DeliverySystemOptions {
  environment?: Record<string, string>;
  overrides?: DeliveryOverrides;
}

const secret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

export async function startDeliverySystem(options: DeliverySystemOptions = {}) {
  await using starting = new AsyncDisposableStack();
  const receiver = starting.use(await testReceiver());
  const directory = await mkdtemp(join(tmpdir(), "canvass-delivery-"));
  starting.defer(() => rm(directory, { recursive: true }));
  const caFile = join(directory, "receiver-ca.pem");
  await writeFile(caFile, receiver.ca);
  const secretsKey = randomBytes(32).toString("base64");
  // Its callbacks run only after `clock` and `push` exist.
  const webhooks: FakeWebhookService = starting.use(
    await startFakeWebhookService({
      secretsKey,
      now: (): Date => clock.now(),
      push: (event): Promise<unknown> => push(event),
    }),
  );
  const tokens = starting.use(await startTokenDouble());
  const environment = {
    CANVASS_WEBHOOK_URL: webhooks.url,
    CANVASS_TOKEN_URL: tokens.url,
    CANVASS_SECRETS_KEY: secretsKey,
    CANVASS_WEBHOOK_ALLOWED_CIDRS: "127.0.0.1/32",
    CANVASS_WEBHOOK_CA_FILE: caFile,
    ...options.environment,
  };
  const parts = {
    folder: join(import.meta.dirname, ".."),
    readConfig: readDeliveryConfig,
    start: (config: DeliveryConfig, overrides: DeliveryOverrides) =>
      startDeliveryService(config, { pollMs: 20, purgeMs: 20, ...options.overrides, ...overrides }),
  };
  const migrations = join(import.meta.dirname, "../prisma/migrations");
  const { url: databaseUrl } = starting.use(await createTestDatabase(migrations));
  await using futureQueue = await insertFutureQueue(databaseUrl);
  const service = starting.use(await startTestService(parts, { environment, databaseUrl }));
  await futureQueue.untilRepaired(service.clock.now());
  const { clock } = service;
  const deliveries = service.client(DeliveryService);
  const callAs = (workspaceId: string) => callOptions({ signedCaller: signedPerson({ workspaceId }) });
  const list = async ({ workspaceId, subscriptionId }: FakeEndpoint, status = "") =>
    (await deliveries.listDeliveries({ subscriptionId, status, limit: 100 }, callAs(workspaceId))).deliveries;
  const handOver = (events: Event[], consumer = "deliveries") => service.handOver(events, consumer);
  const push = (event: Event) => handOver([event], "webhook-changes");
  const running = starting.move();
  return {
    ...service,
    webhooks,
    tokens,
    receiver,
    deliveries,
    callAs,
    list,
    /** Passes events to a consumer; by default to the one that queues deliveries. */
    handOver,
    publishCompletion: async ({ workspaceId }: FakeEndpoint, count = 1) => {
      const events = Array.from({ length: count }, () => completion(workspaceId, clock.now()));
      await handOver(events);
      return events;
    },
    receivedBy: ({ url }: FakeEndpoint) => receiver.requests.filter(({ path }) => url.endsWith(path)),
    /** Queues a delivery of an event directly in the database. */
    queue: async ({ workspaceId, subscriptionId }: FakeEndpoint, event: Event) => {
      const external = externalEvent(event)!;
      const { eventId, traceparent } = event;
      const about = { eventId, eventType: external.type, body: externalEventBody(external), traceparent };
      const delivery = { workspaceId, subscriptionId, deliveryId: newId(clock.now()), ...about };
      await insertDeliveries(sqlFromPg(service.pool), [delivery], clock.now());
    },
    /** Changes a webhook and pushes that, as its owner does before it responds. */
    change: (endpoint: FakeEndpoint, fields: Partial<FakeEndpoint>) => push(webhooks.change(endpoint, fields)),
    remove: (endpoint: FakeEndpoint) => push(webhooks.remove(endpoint)),
    /** Add all endpoints of a workspace before its first event: the service fetches them then. */
    addEndpoint: (fields: Partial<FakeEndpoint> = {}): FakeEndpoint => {
      const url = `${receiver.url}/${newId(clock.now())}`;
      const ids = { workspaceId: newId(clock.now()), subscriptionId: newId(clock.now()) };
      const endpoint = { ...ids, url, secrets: [secret()], ...fields };
      webhooks.add(endpoint);
      return endpoint;
    },
    /** Waits until the newest deliveries all have this status and number of attempts. */
    waitForDeliveries: (endpoint: FakeEndpoint, status: string, attempts: number) =>
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

export type DeliverySystem = Awaited<ReturnType<typeof startDeliverySystem>>;

/**
 * Inserts a queue that is due in 2100, which a starting service repairs. That repair wakes the workers once for all
 * queues, so tests wait for its end (`untilRepaired`) before they count what workers do.
 */
async function insertFutureQueue(connectionString: string) {
  const pool = new Pool({ connectionString, max: 1 });
  const values = "VALUES ('', '', '2100-01-01')";
  await pool.query(`INSERT INTO endpoint_queues (workspace_id, subscription_id, next_due_at) ${values}`);
  const isFuture = "SELECT FROM endpoint_queues WHERE workspace_id = '' AND next_due_at > $1";
  return {
    untilRepaired: async (now: Date) => {
      await waitFor(async () => (await pool.query(isFuture, [now])).rowCount === 0, { describe: "the first repair" });
      await pool.query("DELETE FROM endpoint_queues WHERE workspace_id = ''");
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
