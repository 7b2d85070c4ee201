import type { MessageInitShape } from "@bufbuild/protobuf";
import { newTokenValue, tokenSha256, type Scope } from "@canvass/access";
import type { CreateTokenRequest, CreateTokenResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import { parseInstant } from "@canvass/values";
import type { TokenContext } from "../context.ts";
import { defaultGrant, type Grantor } from "../domain/scope-grants.ts";
import { knownScopes, readNewToken, refuseTokenViolations } from "../domain/token-fields.ts";
import { insertAuditedToken } from "./insert-audited-token.ts";
import { lockTokenInUse, refuseScopesBeyond } from "./token-in-use.ts";
import { tokenMessage } from "./token-message.ts";

/** Never replayed, even with an idempotency key: the response contains the token value, which is not stored. */
export async function createToken(
  context: TokenContext,
  { bodyJson }: CreateTokenRequest,
  call: Call,
): Promise<MessageInitShape<typeof CreateTokenResponseSchema>> {
  const { caller } = call;
  const now = context.now();
  const { name, scopes, is_live: live = true, expires_at: expiresAt = null } = readNewToken(bodyJson, now);
  const tokenValue = newTokenValue(live);
  const token = await context.write(async (transaction) => {
    const grantor = await lockTokenInUse(transaction, caller, now);
    return insertAuditedToken(
      transaction,
      {
        workspaceId: caller.workspaceId,
        personId: caller.personId,
        tokenSha256: tokenSha256(tokenValue),
        name,
        scopes: grantedScopes(grantor, scopes),
        live,
        expiresAt: expiresAt === null ? null : parseInstant(expiresAt),
      },
      { by: call },
      now,
    );
  }, call);
  return { token: tokenMessage(token), tokenValue };
}

function grantedScopes(grantor: Grantor, named: readonly string[] | undefined): Scope[] {
  if (named) {
    const scopes = knownScopes(named);
    refuseScopesBeyond(grantor, scopes);
    return scopes;
  }
  const scopes = defaultGrant(grantor);
  if (scopes.length > 0) return scopes;
  const message = "This token holds none of the default scopes, so the scopes have to be named.";
  refuseTokenViolations([{ path: "scopes", message }]);
  return scopes;
}
