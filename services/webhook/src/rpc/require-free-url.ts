import { AppError } from "@canvass/errors";
import { findIdByUrlHash, type PrismaOrTransaction } from "../storage/subscriptions.ts";

/** Throws `duplicate_subscription` for a URL in use (contract 8.3). Requires `lockSubscriptions`. */
export async function requireFreeUrl(
  prisma: PrismaOrTransaction,
  { workspaceId, urlSha256 }: { workspaceId: string; urlSha256: string },
  except?: string,
): Promise<void> {
  const subscriptionId = await findIdByUrlHash(prisma, workspaceId, urlSha256);
  if (subscriptionId === undefined || subscriptionId === except) return;
  throw new AppError("duplicate_subscription", { subscription_id: subscriptionId });
}
