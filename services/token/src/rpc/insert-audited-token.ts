import { insertAuditEntry, auditedToken, type AuditAuthor } from "../storage/audit-log.ts";
import { insertToken, type NewToken, type StoredToken } from "../storage/tokens.ts";
import type { TokenTransaction } from "../context.ts";

export interface TokenOrigin {
  by: AuditAuthor;
  oldTokenId?: string;
}

/** Every new token must be inserted here, so that it gets its audit entry. */
export async function insertAuditedToken(
  { prisma }: Pick<TokenTransaction, "prisma">,
  token: NewToken,
  { by, oldTokenId }: TokenOrigin,
  now: Date,
): Promise<StoredToken> {
  const created = await insertToken(prisma, token, now);
  const { workspaceId, tokenId, personId } = created;
  await insertAuditEntry(prisma, {
    workspaceId,
    at: now,
    by,
    action: "token.created",
    resourceId: tokenId,
    after: { ...auditedToken(created), person_id: personId, ...(oldTokenId && { old_token_id: oldTokenId }) },
  });
  return created;
}
