import { newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";
import { insertAuditEntry, type AuditAuthor, type AuditEntry } from "../storage/audit-log.ts";
import { saveToken, type StoredToken } from "../storage/tokens.ts";
import type { TokenTransaction } from "../context.ts";

/** Requires the lock on the token. */
export async function revoke(
  transaction: TokenTransaction,
  token: StoredToken,
  by: AuditAuthor,
  now: Date,
  audit: Pick<AuditEntry, "action" | "before" | "after">,
): Promise<void> {
  const { workspaceId, tokenId } = token;
  await saveToken(transaction.prisma, token, { revokedAt: now });
  await insertAuditEntry(transaction.prisma, {
    ...audit,
    workspaceId,
    at: now,
    by,
    resourceId: tokenId,
  });
  await transaction.publish(tokenRevoked(token, now));
}

/** The event makes gateways drop a cached token that was revoked or changed. */
export function tokenRevoked({ workspaceId, tokenId, tokenSha256 }: StoredToken, now: Date): Event {
  return newEvent({ workspaceId, occurredAt: now, body: { case: "tokenRevoked", value: { tokenId, tokenSha256 } } });
}
