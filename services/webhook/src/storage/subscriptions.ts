import { isId } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import type { Prisma, PrismaClient, Subscription } from "../../gen/prisma/client.ts";

export type StoredSubscription = Subscription;

/** A client or a transaction. */
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

/** Until the transaction ends no other changes which subscriptions the workspace has. */
export async function lockSubscriptions(sql: Sql, workspaceId: string): Promise<void> {
  // As text: the result would be of the type void, which has no value.
  await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text AS locked", [
    `subscriptions of ${workspaceId}`,
  ]);
}

/** Until the transaction ends no other changes this subscription; false when there is none. */
export async function lockSubscription(sql: Sql, workspaceId: string, subscriptionId: string): Promise<boolean> {
  if (!isId(subscriptionId)) return false;
  const rows = await sql.query<{ subscription_id: string }>(
    "SELECT subscription_id FROM subscriptions WHERE workspace_id = $1 AND subscription_id = $2 FOR UPDATE",
    [workspaceId, subscriptionId],
  );
  return rows.length > 0;
}
