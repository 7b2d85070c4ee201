import { appendAuditEntry, auditedToken, type AuditAuthor } from "../storage/audit-log.ts";
import { insertToken, type NewToken, type StoredToken } from "../storage/tokens.ts";
import type { TokenTransaction } from "../context.ts";

/** Who makes a token, and for which other one, when it takes the place of that. */
export interface TokenOrigin {
  by: AuditAuthor;
  oldTokenId?: string;
}

/** However a token comes to be, this makes it, so that the audit log has its `token.created`. */
export async function insertAuditedToken(
  { prisma }: Pick<TokenTransaction, "prisma">,
  token: NewToken,
  { by, oldTokenId }: TokenOrigin,
  now: Date,
): Promise<StoredToken> {
  const created = await insertToken(prisma, token, now);
  const { workspaceId, tokenId, personId } = created;
  await appendAuditEntry(prisma, {
    workspaceId,
    at: now,
    by,
    action: "token.created",
    resourceId: tokenId,
    after: { ...auditedToken(created), person_id: personId, ...(oldTokenId && { old_token_id: oldTokenId }) },
  });
  return created;
}
