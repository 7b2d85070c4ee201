import type { MessageInitShape } from "@bufbuild/protobuf";
import { allScopes, newTokenValue, tokenSha256 } from "@canvass/access";
import type { CreateWorkspaceRequest, CreateWorkspaceResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { judgeNewWorkspace } from "../domain/new-workspace.ts";
import { appendAuditEntry, auditedToken, operatorOf } from "../storage/audit-log.ts";
import { insertToken } from "../storage/tokens.ts";
import { insertWorkspace } from "../storage/workspaces.ts";
import { writeTransaction } from "../write-transaction.ts";

/** For operators: a workspace, its owner, and a live token holding every scope, `events:write` too. */
export async function createWorkspace(
  context: TokenContext,
  request: CreateWorkspaceRequest,
  call: Call,
): Promise<MessageInitShape<typeof CreateWorkspaceResponseSchema>> {
  const now = context.now();
  const workspace = judgeNewWorkspace(request);
  const tokenValue = newTokenValue(true);
  return writeTransaction(context, async (transaction) => {
    const owner = await insertWorkspace(transaction, workspace, now);
    const token = await insertToken(
      transaction.prisma,
      { ...owner, tokenSha256: tokenSha256(tokenValue), name: "Owner", scopes: allScopes, live: true, expiresAt: null },
      now,
    );
    const { name, plan, timeZone } = workspace;
    await appendAuditEntry(transaction.prisma, {
      workspaceId: owner.workspaceId,
      at: now,
      by: operatorOf(call),
      action: "workspace.created",
      resourceId: owner.workspaceId,
      after: { name, plan, time_zone: timeZone, owner: owner.personId, token: auditedToken(token) },
    });
    return { ...owner, tokenId: token.tokenId, tokenValue };
  });
}
