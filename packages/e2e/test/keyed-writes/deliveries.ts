import { newId } from "@canvass/values";
import { randomUUID } from "node:crypto";
import type { ApiClient } from "../../src/index.ts";
import type { Databases } from "../databases.ts";
import type { KeyedOperation, KeyedSystem } from "./keyed-operation.ts";

/** Test deliveries and redeliveries. The queued work continues in the background: `settled` waits for its end. */
export const deliveryWrites: KeyedOperation[] = [
  {
    name: "sending a test",
    service: "delivery",
    async prepare(system) {
      const hookId = await createHook(system);
      const { databases } = system;
      // Only its stored response records a test. Without a response the test is sent again.
      const answers = `SELECT count(*)::int AS count FROM idempotency_records WHERE scope LIKE '%/${hookId}/test'`;
      return {
        method: "POST",
        path: `/event-subscriptions/${hookId}/test`,
        invalidBody: { unexpected: true },
        effects: async () => ({
          answers: await count(databases, answers),
          recordedNowhere: 1 - (await count(databases, countOf("deliveries", hookId))),
        }),
      };
    },
  },
  {
    name: "redelivering one",
    service: "delivery",
    async prepare(system) {
      const { api, databases } = system;
      const hookId = await findHook(system);
      const [deliveryId] = await insertFailed(databases, hookId, 1, new Date());
      const redeliveries = `${countOf("deliveries", hookId)} AND redelivery_of = '${deliveryId}'`;
      return {
        method: "POST",
        path: `/event-subscriptions/${hookId}/deliveries/${deliveryId}/redeliver`,
        invalidBody: { unexpected: true },
        settled: () => hasSettled(databases, hookId),
        effects: async () => ({
          queued: await count(databases, redeliveries),
          audited: await countAudited(api, "delivery", hookId, (after) => after["redelivery_of"] === deliveryId),
        }),
      };
    },
  },
  {
    name: "redelivering a range",
    service: "delivery",
    async prepare(system) {
      const { api, databases } = system;
      const hookId = await findHook(system);
      const at = new Date();
      const from = at.toISOString();
      const ids = await insertFailed(databases, hookId, 3, at);
      const ranges = `${countOf("range_redeliveries", hookId)} AND from_at = '${from}'`;
      const redeliveries = `${countOf("deliveries", hookId)} AND redelivery_of IN (${ids.map((id) => `'${id}'`).join()})`;
      return {
        method: "POST",
        path: `/event-subscriptions/${hookId}/deliveries/redeliver`,
        body: { from },
        invalidBody: { from: "never" },
        settled: () => hasSettled(databases, hookId),
        async effects() {
          const queued = await count(databases, redeliveries);
          return {
            ranges: await count(databases, ranges),
            audited: await countAudited(api, "deliveries", hookId, (after) => after["from"] === from),
            // 0 until the whole range is queued.
            queued: queued > ids.length ? queued : Math.floor(queued / ids.length),
          };
        },
      };
    },
  },
];

const HOOK = "Redelivered";

/**
 * Finds or creates the workspace's webhook for redeliveries. The receiver trusts only the newest, so other webhooks'
 * deliveries fail.
 */
async function findHook(system: KeyedSystem): Promise<string> {
  const listed: { id: string; name: string }[] = (await system.api.get("/event-subscriptions")).data;
  return listed.find(({ name }) => name === HOOK)?.id ?? createHook(system, HOOK);
}

async function createHook({ api, receiver }: KeyedSystem, name = "Tested"): Promise<string> {
  const { data } = await api.post("/event-subscriptions", { name, url: `${receiver.url}/${randomUUID()}` });
  if (name === HOOK) receiver.trust(data.secret);
  return data.id;
}

async function insertFailed(databases: Databases, hookId: string, number: number, at: Date): Promise<string[]> {
  const [hook] = await databases.query<{ workspaceId: string }>(
    "webhook",
    `SELECT workspace_id AS "workspaceId" FROM subscriptions WHERE subscription_id = $1`,
    [hookId],
  );
  const ids = Array.from({ length: number }, () => newId(at));
  await databases.query(
    "delivery",
    `INSERT INTO deliveries (workspace_id, subscription_id, delivery_id, event_id, event_type, body, status, created_at)
     SELECT $1, $2, id, id, 'response.completed', '{}', 'failed', $4 FROM unnest($3::text[]) AS id`,
    [hook!.workspaceId, hookId, ids, at],
  );
  return ids;
}

/** Whether nothing is queued and the subscription shows the outcome. */
async function hasSettled(databases: Databases, hookId: string): Promise<boolean> {
  const open = [
    countOf("due_deliveries", hookId),
    `${countOf("range_redeliveries", hookId)} AND finished_at IS NULL`,
    `${countOf("endpoint_health", hookId)} AND unreported`,
  ];
  const counts = await Promise.all(open.map((statement) => count(databases, statement)));
  return counts.every((rows) => rows === 0);
}

const countOf = (table: string, hookId: string): string =>
  `SELECT count(*)::int AS count FROM ${table} WHERE subscription_id = '${hookId}'`;

async function count(databases: Databases, statement: string): Promise<number> {
  return (await databases.query<{ count: number }>("delivery", statement))[0]!.count;
}

async function countAudited(
  api: ApiClient,
  what: "delivery" | "deliveries",
  hookId: string,
  isMeant: (after: Record<string, unknown>) => boolean,
): Promise<number> {
  const { data } = await api.get(`/audit-log?action=subscription.${what}_redelivered&resource=${hookId}`);
  return data.filter(({ after }: { after: Record<string, unknown> }) => isMeant(after)).length;
}
