import type { MessageInitShape } from "@bufbuild/protobuf";
import { allScopes, newTokenValue, tokenSha256 } from "@canvass/access";
import type { CreateWorkspaceRequest, CreateWorkspaceResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { validateNewWorkspace } from "../domain/new-workspace.ts";
import { insertAuditEntry, operatorOf } from "../storage/audit-log.ts";
import { insertWorkspace } from "../storage/workspaces.ts";
import { insertAuditedToken } from "./insert-audited-token.ts";

export async function createWorkspace(
  context: TokenContext,
  request: CreateWorkspaceRequest,
  call: Call,
): Promise<MessageInitShape<typeof CreateWorkspaceResponseSchema>> {
  const now = context.now();
  const workspace = validateNewWorkspace(request);
  const tokenValue = newTokenValue(true);
  return context.write(async (transaction) => {
    const owner = await insertWorkspace(transaction, workspace, now);
    const { name, plan, timeZone, ownerEmail } = workspace;
    const entry = { workspaceId: owner.workspaceId, at: now, by: operatorOf(call) };
    await insertAuditEntry(transaction.prisma, {
      ...entry,
      action: "workspace.created",
      resourceId: owner.workspaceId,
      after: { name, plan, time_zone: timeZone, owner: owner.personId },
    });
    await insertAuditEntry(transaction.prisma, {
      ...entry,
      action: "person.added",
      resourceId: owner.personId,
      after: { email: ownerEmail, role: "owner" },
    });
    const { tokenId } = await insertAuditedToken(
      transaction,
      { ...owner, tokenSha256: tokenSha256(tokenValue), name: "Owner", scopes: allScopes, live: true, expiresAt: null },
      entry,
      now,
    );
    return { ...owner, tokenId, tokenValue };
  });
}
