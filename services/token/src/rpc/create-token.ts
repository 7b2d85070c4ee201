import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { newTokenValue, tokenSha256, type Scope } from "@canvass/access";
import type { CreateTokenRequest, CreateTokenResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { defaultGrant, type Giver } from "../domain/scope-grants.ts";
import { expiryFaults, nameFaults, namedScopes, refuseFaults, scopeFaults } from "../domain/token-fields.ts";
import { appendAuditEntry, auditedToken } from "../storage/audit-log.ts";
import { insertToken } from "../storage/tokens.ts";
import { writeTransaction } from "../write-transaction.ts";
import { lockTokenInUse, refuseScopesBeyond } from "./token-in-use.ts";
import { tokenMessage } from "./token-message.ts";

/** Never replayed: its answer holds the value, which is not kept. An idempotency key is ignored. */
export async function createToken(
  context: TokenContext,
  request: CreateTokenRequest,
  call: Call,
): Promise<MessageInitShape<typeof CreateTokenResponseSchema>> {
  const { caller } = call;
  const now = context.now();
  const expiresAt = request.expiresAt ? timestampDate(request.expiresAt) : null;
  refuseFaults([
    ...nameFaults(request.name),
    ...(request.scopes ? scopeFaults(request.scopes.scopes) : []),
    ...(expiresAt ? expiryFaults(expiresAt, now) : []),
  ]);
  const tokenValue = newTokenValue(request.live);
  const token = await writeTransaction(context, async (transaction) => {
    const giver = await lockTokenInUse(transaction, caller, now);
    const created = await insertToken(
      transaction.prisma,
      {
        workspaceId: caller.workspaceId,
        personId: caller.personId,
        tokenSha256: tokenSha256(tokenValue),
        name: request.name,
        scopes: grantedScopes(giver, request.scopes?.scopes),
        live: request.live,
        expiresAt,
      },
      now,
    );
    await appendAuditEntry(transaction.prisma, {
      workspaceId: caller.workspaceId,
      at: now,
      by: call,
      action: "token.created",
      resourceId: created.tokenId,
      after: auditedToken(created),
    });
    return created;
  });
  return { token: tokenMessage(token), tokenValue };
}

function grantedScopes(giver: Giver, named: readonly string[] | undefined): Scope[] {
  if (named) {
    const scopes = namedScopes(named);
    refuseScopesBeyond(giver, scopes);
    return scopes;
  }
  const scopes = defaultGrant(giver);
  if (scopes.length > 0) return scopes;
  const message = "This token holds none of the default scopes, so the scopes have to be named.";
  refuseFaults([{ path: "scopes", message }]);
  return scopes;
}
