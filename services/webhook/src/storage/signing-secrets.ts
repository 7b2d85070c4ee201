import type { EndpointRef } from "./endpoints.ts";
import type { PrismaOrTransaction } from "./subscriptions.ts";

export interface NewSecret extends EndpointRef {
  secretId: string;
  sealed: Uint8Array;
  createdAt: Date;
}

export async function insertSecret(prisma: PrismaOrTransaction, { sealed, ...secret }: NewSecret): Promise<void> {
  await prisma.subscriptionSecret.create({ data: { ...secret, sealed: new Uint8Array(sealed) } });
}

/** Expires the current secret at `until` and deletes the one before it. */
export async function retireSecrets(
  prisma: PrismaOrTransaction,
  { workspaceId, subscriptionId }: EndpointRef,
  until: Date,
): Promise<void> {
  await prisma.subscriptionSecret.deleteMany({ where: { workspaceId, subscriptionId, expiresAt: { not: null } } });
  await prisma.subscriptionSecret.updateMany({ where: { workspaceId, subscriptionId }, data: { expiresAt: until } });
}
