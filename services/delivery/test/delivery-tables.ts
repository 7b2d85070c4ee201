import { openPool, sqlFromPg, type OpenPool } from "@canvass/postgres";
import { newId } from "@canvass/values";
import { createTestDatabase } from "@canvass/testing";
import type { Outcome } from "@canvass/webhook-sender";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { beginDue, type BegunDelivery } from "../src/storage/begin-due.ts";
import type { ClaimedDelivery } from "../src/storage/claimed-delivery.ts";
import { insertDeliveries } from "../src/storage/insert-deliveries.ts";
import { pickEndpoints, type PickOptions } from "../src/storage/pick-endpoints.ts";
import type { AttemptRecord } from "../src/storage/record-attempts.ts";
import { HAS_ENDED } from "../src/storage/stored-status.ts";

export interface DeliveryTables extends AsyncDisposable {
  pool: Pool;
  clear(): Promise<unknown>;
  /** Queues `count` deliveries, created at `at` (`now`), of an active webhook, which it adds. */
  queue(workspaceId: string, subscriptionId: string, count: number, at?: Date): Promise<void>;
  addWebhook(workspaceId: string, subscriptionId: string): Promise<unknown>;
  /** Picks endpoints, and begins up to `count` (10) of each, leased for 20 s. */
  begin(options?: Partial<PickOptions> & { leaseUntil?: Date; count?: number }): Promise<BegunDelivery[]>;
}

/** FROM item: deliveries with the status that clients see. */
export const SHOWN = `(SELECT x.workspace_id, x.subscription_id, x.delivery_id, x.cancelled_because,
  CASE WHEN ${HAS_ENDED("x")} THEN x.status ELSE 'pending' END AS status FROM deliveries x) shown`;

export const now = new Date("2026-03-01T12:00:00Z");
export const later = (ms: number) => new Date(now.getTime() + ms);

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));
const tables =
  "attempts, deliveries, due_deliveries, endpoint_queues, endpoint_health, disable_requests, webhooks, known_workspaces";

/** Opens connections with kept plans, as the service does. */
export function openHotPool({ options }: Pool, poolSize = 10): OpenPool {
  return openPool({ url: options.connectionString!, poolSize, applicationName: "delivery-tables", plans: "kept" });
}

export async function openDeliveryTables(): Promise<DeliveryTables> {
  const database = await createTestDatabase(migrations);
  const pool = new Pool({ connectionString: database.url });
  const hot = openHotPool(pool);
  const addWebhook = async (workspaceId: string, subscriptionId: string) => {
    await pool.query("INSERT INTO known_workspaces VALUES ($1, 0, true) ON CONFLICT DO NOTHING", [workspaceId]);
    return pool.query(
      "INSERT INTO webhooks VALUES ($1, $2, 1, $3, 'active', '', 'https://example.com', '', '', NULL, 1, $3) ON CONFLICT DO NOTHING",
      [workspaceId, subscriptionId, new Date(0)],
    );
  };
  return {
    pool,
    clear: () => pool.query(`TRUNCATE ${tables}`),
    addWebhook,
    queue: async (workspaceId, subscriptionId, count, at = now) => {
      await addWebhook(workspaceId, subscriptionId);
      const deliveries = Array.from({ length: count }, () => {
        const deliveryId = newId(at);
        const event = { eventId: deliveryId, eventType: "response.completed", body: "{}" };
        return { workspaceId, subscriptionId, deliveryId, traceparent: "", ...event };
      });
      await insertDeliveries(sqlFromPg(pool), deliveries, at);
    },
    begin: async ({ leaseUntil, count = 10, ...options } = {}) => {
      const terms = { ...pickTerms, ...options };
      const lease = { leaseId: newId(now), leaseUntil: leaseUntil ?? later(20_000) };
      const { due } = await pickEndpoints(hot.pool, terms);
      const wanted = due.map((endpoint) => ({ ...endpoint, count, plannedFrom: new Date(0) }));
      return beginDue(sqlFromPg(hot.pool), wanted, lease, terms.now);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([pool.end(), hot[Symbol.asyncDispose]()]);
      await database[Symbol.asyncDispose]();
    },
  };
}

export const pickTerms: PickOptions = { now, busy: [], withoutCapacity: [], maxEndpoints: 50 };

/** Result of a first attempt. Unless it succeeded, the next attempt is due in a minute. */
export function endedAttempt(delivery: ClaimedDelivery, outcome: Outcome, attemptedAt = now): AttemptRecord {
  const statusCode = outcome === "success" ? 200 : undefined;
  const result = { durationMs: 5, outcome, reason: undefined, statusCode, responseBody: "" };
  const endpoint = { destinationRevision: 1, activeSince: now };
  const next =
    outcome === "success"
      ? ({ status: "delivered", dueAt: undefined, disable: undefined } as const)
      : ({
          status: "pending",
          dueAt: later(60_000),
          disable: outcome === "gone" || outcome === "blocked" ? outcome : undefined,
        } as const);
  return { delivery, endpoint, number: 1, attemptedAt, ...result, next };
}
