import type { MessageInitShape } from "@bufbuild/protobuf";
import { newTokenValue, tokenSha256 } from "@canvass/access";
import type { RotateTokenRequest, RotateTokenResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { auditedToken } from "../storage/audit-log.ts";
import { insertAuditedToken } from "./insert-audited-token.ts";
import { revoke } from "./revocation.ts";
import { lockOtherToken } from "./token-in-use.ts";
import { tokenMessage } from "./token-message.ts";

/** Of concurrent rotations one succeeds (contract 4.6). Never replayed: the response contains the token value. */
export async function rotateToken(
  context: TokenContext,
  { tokenId }: RotateTokenRequest,
  call: Call,
): Promise<MessageInitShape<typeof RotateTokenResponseSchema>> {
  const now = context.now();
  return context.write(async (transaction) => {
    const { token } = await lockOtherToken(transaction, call.caller, tokenId, now);
    const { workspaceId, personId, name, scopes, live, expiresAt } = token;
    const tokenValue = newTokenValue(live);
    const successor = await insertAuditedToken(
      transaction,
      { workspaceId, personId, name, scopes, live, expiresAt, tokenSha256: tokenSha256(tokenValue) },
      { by: call, oldTokenId: tokenId },
      now,
    );
    await revoke(transaction, token, call, now, {
      action: "token.rotated",
      before: { token_id: tokenId, ...auditedToken(token) },
      after: { token_id: successor.tokenId, ...auditedToken(successor) },
    });
    return { token: tokenMessage(successor), tokenValue, oldTokenId: tokenId };
  }, call);
}
