import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { newTokenValue, tokenSha256, type Scope } from "@canvass/access";
import { joinFaults } from "@canvass/inputs";
import type { CreateTokenRequest, CreateTokenResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { defaultGrant, type Giver } from "../domain/scope-grants.ts";
import { expiryFaults, namedScopes, refuseFaults, scopeFaults, tokenNameFaults } from "../domain/token-fields.ts";
import { insertAuditedToken } from "./insert-audited-token.ts";
import { lockTokenInUse, refuseScopesBeyond } from "./token-in-use.ts";
import { tokenMessage } from "./token-message.ts";

/** Never replayed, whatever the idempotency key: the answer holds the value, which is not stored. */
export async function createToken(
  context: TokenContext,
  request: CreateTokenRequest,
  call: Call,
): Promise<MessageInitShape<typeof CreateTokenResponseSchema>> {
  const { caller } = call;
  const now = context.now();
  const expiresAt = request.expiresAt ? timestampDate(request.expiresAt) : null;
  const faults = [
    ...tokenNameFaults(request.name),
    ...(request.scopes ? scopeFaults(request.scopes.scopes) : []),
    ...(expiresAt ? expiryFaults(expiresAt, now) : []),
  ];
  refuseFaults(joinFaults(request.edgeFaults, faults));
  const tokenValue = newTokenValue(request.live);
  const token = await context.write(async (transaction) => {
    const giver = await lockTokenInUse(transaction, caller, now);
    return insertAuditedToken(
      transaction,
      {
        workspaceId: caller.workspaceId,
        personId: caller.personId,
        tokenSha256: tokenSha256(tokenValue),
        name: request.name,
        scopes: grantedScopes(giver, request.scopes?.scopes),
        live: request.live,
        expiresAt,
      },
      { by: call },
      now,
    );
  }, call);
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
