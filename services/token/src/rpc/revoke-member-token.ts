import type { MessageInitShape } from "@bufbuild/protobuf";
import { validationFailed } from "@canvass/inputs";
import { isId } from "@canvass/values";
import type { RevokeMemberTokenRequest, RevokeMemberTokenResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { auditedToken, operatorOf } from "../storage/audit-log.ts";
import { lockToken } from "../storage/tokens.ts";
import { requireWorkspace } from "../storage/workspaces.ts";
import { revoke } from "./revocation.ts";

export async function revokeMemberToken(
  context: TokenContext,
  { workspaceId, tokenId }: RevokeMemberTokenRequest,
  call: Call,
): Promise<MessageInitShape<typeof RevokeMemberTokenResponseSchema>> {
  const now = context.now();
  await context.write(async (transaction) => {
    await requireWorkspace(transaction.prisma, workspaceId);
    const token = isId(tokenId) ? await lockToken(transaction, workspaceId, tokenId) : null;
    if (!token) throw validationFailed([{ path: "token", message: "The workspace has no such token." }]);
    if (token.revokedAt) return;
    await revoke(transaction, token, operatorOf(call), now, { action: "token.revoked", before: auditedToken(token) });
  });
  return {};
}
