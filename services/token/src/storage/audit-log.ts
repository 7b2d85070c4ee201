import { resourceOf, type AuditAction } from "@canvass/access";
import { newId } from "@canvass/values";
import type { Caller } from "@canvass/proto/access";
import type { Prisma } from "../../gen/prisma/client.ts";
import type { StoredToken } from "./tokens.ts";

/** The author of a change. A `Call` has this shape. */
export interface AuditAuthor {
  /** Null for an operator. */
  caller: Pick<Caller, "personId" | "personName" | "tokenId" | "tokenName"> | null;
  requestId: string;
  clientAddress: string;
}

export interface AuditEntry {
  workspaceId: string;
  at: Date;
  by: AuditAuthor;
  action: AuditAction;
  resourceId: string;
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
}

/** Call it in the transaction of the change (contract 4.11). */
export async function insertAuditEntry(
  prisma: Pick<Prisma.TransactionClient, "auditEntry">,
  { by: { caller, requestId, clientAddress }, ...entry }: AuditEntry,
): Promise<void> {
  await prisma.auditEntry.create({
    data: {
      ...entry,
      entryId: newId(entry.at),
      actor: caller ? "person" : "operator",
      personId: caller?.personId ?? null,
      personName: caller?.personName ?? null,
      tokenId: caller?.tokenId ?? null,
      tokenName: caller?.tokenName ?? null,
      requestId: requestId || null,
      address: clientAddress || null,
      resourceType: resourceOf(entry.action),
    },
    select: { entryId: true },
  });
}

/** Identifies an operator by the address of the connection. */
export function operatorOf({ requestId, peerAddress }: { requestId: string; peerAddress: string }): AuditAuthor {
  return { caller: null, requestId, clientAddress: peerAddress };
}

/** The audit log contains neither the value of a token nor its hash. */
export function auditedToken({ name, scopes, live, expiresAt }: StoredToken): Prisma.InputJsonObject {
  return { name, scopes, is_live: live, expires_at: expiresAt?.toISOString() ?? null };
}
