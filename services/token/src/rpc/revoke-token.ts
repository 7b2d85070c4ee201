import { RevokeTokenResponseSchema, type RevokeTokenRequest, type RevokeTokenResponse } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { TokenContext } from "../context.ts";
import { auditedToken } from "../storage/audit-log.ts";
import { revoke } from "./revocation.ts";
import { lockOtherToken } from "./token-in-use.ts";

/** A revocation is permanent (contract 4.6). */
export async function revokeToken(
  context: TokenContext,
  { tokenId }: RevokeTokenRequest,
  call: Call,
): Promise<RevokeTokenResponse> {
  const now = context.now();
  return idempotentWrite(context, call, RevokeTokenResponseSchema, async (transaction) => {
    const { token } = await lockOtherToken(transaction, call.caller, tokenId, now);
    await revoke(transaction, token, call, now, { action: "token.revoked", before: auditedToken(token) });
    return {};
  });
}
