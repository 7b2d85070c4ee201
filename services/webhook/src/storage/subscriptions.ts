import { isId } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import type { Prisma, PrismaClient, Subscription } from "../../gen/prisma/client.ts";

export type StoredSubscription = Subscription;

export type Prismas = PrismaClient | Prisma.TransactionClient;

/** Oldest first: ids are ordered by time. */
export function findSubscriptions(prisma: Prismas, workspaceId: string): Promise<StoredSubscription[]> {
  return prisma.subscription.findMany({ where: { workspaceId }, orderBy: { subscriptionId: "asc" } });
}

export async function findSubscription(
  prisma: Prismas,
  workspaceId: string,
  subscriptionId: string,
): Promise<StoredSubscription | null> {
  if (!isId(subscriptionId)) return null;
  return prisma.subscription.findUnique({ where: { workspaceId_subscriptionId: { workspaceId, subscriptionId } } });
}

/** Serialises changes to the workspace's list of subscriptions until the transaction ends. */
export async function lockSubscriptions(sql: Sql, workspaceId: string): Promise<void> {
  // As text: the void result has no value.
  await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text AS locked", [
    `subscriptions of ${workspaceId}`,
  ]);
}

/** Locks until the transaction ends; false when there is none. */
export async function lockSubscription(sql: Sql, workspaceId: string, subscriptionId: string): Promise<boolean> {
  if (!isId(subscriptionId)) return false;
  const rows = await sql.query<{ subscription_id: string }>(
    "SELECT subscription_id FROM subscriptions WHERE workspace_id = $1 AND subscription_id = $2 FOR UPDATE",
    [workspaceId, subscriptionId],
  );
  return rows.length > 0;
}
