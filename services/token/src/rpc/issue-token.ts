import type { MessageInitShape } from "@bufbuild/protobuf";
import { defaultScopes, newTokenValue, tokenSha256 } from "@canvass/access";
import { validationFailed } from "@canvass/inputs";
import type { IssueTokenRequest, IssueTokenResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { knownScopes, scopeViolations, tokenNameViolations } from "../domain/token-fields.ts";
import { operatorOf } from "../storage/audit-log.ts";
import { requireWorkspace } from "../storage/workspaces.ts";
import { insertAuditedToken } from "./insert-audited-token.ts";
import { requireMemberRole } from "./require-member-role.ts";
import { tokenMessage } from "./token-message.ts";

/** Scopes beyond the member's role are stored but have no effect. */
export async function issueToken(
  context: TokenContext,
  { workspaceId, personId, name, scopes, live }: IssueTokenRequest,
  call: Call,
): Promise<MessageInitShape<typeof IssueTokenResponseSchema>> {
  const violations = [...tokenNameViolations(name), ...(scopes ? scopeViolations(scopes.scopes) : [])];
  if (violations.length > 0) throw validationFailed(violations);
  const now = context.now();
  const tokenValue = newTokenValue(live);
  return context.write(async (transaction) => {
    const { prisma } = transaction;
    await requireWorkspace(prisma, workspaceId);
    await requireMemberRole(prisma, { workspaceId, personId });
    const granted = scopes ? knownScopes(scopes.scopes) : [...defaultScopes];
    const owner = { workspaceId, personId };
    const token = await insertAuditedToken(
      transaction,
      { ...owner, tokenSha256: tokenSha256(tokenValue), name, scopes: granted, live, expiresAt: null },
      { by: operatorOf(call) },
      now,
    );
    return { token: tokenMessage(token), tokenValue };
  });
}
