import { resourceOf, type AuditAction } from "@canvass/access";
import { newId } from "@canvass/inputs";
import type { Caller } from "@canvass/proto/access";
import type { Prisma } from "../../gen/prisma/client.ts";
import type { StoredToken } from "./tokens.ts";

/** Whose change it is; the call of a person fits. */
export interface AuditAuthor {
  /** Null: an operator. */
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
  /** States without secrets. */
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
}

/** Writes what was done, in the transaction that does it (contract 4.11): neither is ever there without the other. */
export async function appendAuditEntry(
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

/** The author of what an operator does, known by where the operator's command connects from. */
export function operatorOf({ requestId, peerAddress }: { requestId: string; peerAddress: string }): AuditAuthor {
  return { caller: null, requestId, clientAddress: peerAddress };
}

/** A token as the audit log shows it: nothing that could be used to authenticate. */
export function auditedToken({ name, scopes, live, expiresAt }: StoredToken): Prisma.InputJsonObject {
  return { name, scopes, is_live: live, expires_at: expiresAt?.toISOString() ?? null };
}
