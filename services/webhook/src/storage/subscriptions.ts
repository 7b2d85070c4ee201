import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Prisma, PrismaClient, Subscription } from "../../gen/prisma/client.ts";

export type StoredSubscription = Subscription;

export type PrismaOrTransaction = PrismaClient | Prisma.TransactionClient;

export function findSubscriptions(prisma: PrismaOrTransaction, workspaceId: string): Promise<StoredSubscription[]> {
  return prisma.subscription.findMany({ where: { workspaceId }, orderBy: { subscriptionId: "asc" } });
}

export async function findSubscription(
  prisma: PrismaOrTransaction,
  workspaceId: string,
  subscriptionId: string,
): Promise<StoredSubscription | null> {
  if (!isId(subscriptionId)) return null;
  return prisma.subscription.findUnique({ where: { workspaceId_subscriptionId: { workspaceId, subscriptionId } } });
}

export async function findIdByUrlHash(
  prisma: PrismaOrTransaction,
  workspaceId: string,
  urlSha256: string,
): Promise<string | undefined> {
  const where = { workspaceId_urlSha256: { workspaceId, urlSha256 } };
  const found = await prisma.subscription.findUnique({ where, select: { subscriptionId: true } });
  return found?.subscriptionId;
}

/** Serializes changes to the workspace's list of subscriptions until the transaction ends. */
export async function lockSubscriptions(sql: Sql, workspaceId: string): Promise<void> {
  await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text AS locked", [
    `subscriptions of ${workspaceId}`,
  ]);
}

export async function lockSubscription(
  sql: Sql,
  prisma: PrismaOrTransaction,
  workspaceId: string,
  subscriptionId: string,
): Promise<StoredSubscription | null> {
  if (!isId(subscriptionId)) return null;
  await sql.query("SELECT FROM subscriptions WHERE workspace_id = $1 AND subscription_id = $2 FOR UPDATE", [
    workspaceId,
    subscriptionId,
  ]);
  return findSubscription(prisma, workspaceId, subscriptionId);
}

export type SubscriptionChanges = Omit<Prisma.SubscriptionUpdateInput, "revision" | "updatedAt" | "secrets">;

export function saveSubscription(
  prisma: PrismaOrTransaction,
  { workspaceId, subscriptionId, revision }: StoredSubscription,
  changes: SubscriptionChanges,
  at: Date,
): Promise<StoredSubscription> {
  return prisma.subscription.update({
    where: { workspaceId_subscriptionId: { workspaceId, subscriptionId } },
    data: { ...changes, revision: revision + 1, updatedAt: at },
  });
}

/** Never before the previous change, because the clocks of replicas differ. */
export function timeOfChange({ updatedAt }: StoredSubscription, now: Date): Date {
  return now > updatedAt ? now : updatedAt;
}
