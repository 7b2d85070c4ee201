import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Scope } from "@canvass/access";
import { UpdateTokenResponseSchema, type UpdateTokenRequest, type UpdateTokenResponse } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { TokenContext, TokenTransaction } from "../context.ts";
import { knownScopes, readTokenUpdate } from "../domain/token-fields.ts";
import { insertAuditEntry, auditedToken } from "../storage/audit-log.ts";
import { findLastUses } from "../storage/token-uses.ts";
import { saveToken } from "../storage/tokens.ts";
import { tokenRevoked } from "./revocation.ts";
import { lockOtherToken, refuseScopesBeyond } from "./token-in-use.ts";
import { tokenMessage } from "./token-message.ts";

export async function updateToken(
  context: TokenContext,
  request: UpdateTokenRequest,
  call: Call,
): Promise<UpdateTokenResponse> {
  const now = context.now();
  return idempotentWrite(context, call, UpdateTokenResponseSchema, (transaction) =>
    update(transaction, request, call, now),
  );
}

async function update(
  transaction: TokenTransaction,
  request: UpdateTokenRequest,
  call: Call,
  now: Date,
): Promise<MessageInitShape<typeof UpdateTokenResponseSchema>> {
  const changes = changesOf(request, now);
  const { grantor, token } = await lockOtherToken(transaction, call.caller, request.tokenId, now);
  if (changes.scopes) refuseScopesBeyond(grantor, changes.scopes);
  const changed = await saveToken(transaction.prisma, token, changes);
  await insertAuditEntry(transaction.prisma, {
    workspaceId: token.workspaceId,
    at: now,
    by: call,
    action: "token.updated",
    resourceId: token.tokenId,
    before: auditedToken(token),
    after: auditedToken(changed),
  });
  await transaction.publish(tokenRevoked(changed, now));
  const uses = await findLastUses(transaction.prisma, changed.workspaceId, [changed.tokenId]);
  return { token: tokenMessage(changed, uses.get(changed.tokenId)) };
}

function changesOf({ bodyJson }: UpdateTokenRequest, now: Date): { name?: string; scopes?: Scope[] } {
  const { name, scopes } = readTokenUpdate(bodyJson, now);
  return { ...(name === undefined ? {} : { name }), ...(scopes ? { scopes: knownScopes(scopes) } : {}) };
}
