import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ListWorkspaceAuditLogRequest, ListWorkspaceAuditLogResponseSchema } from "@canvass/proto/token";
import type { TokenContext } from "../context.ts";
import { requireWorkspace } from "../storage/workspaces.ts";
import { auditPage } from "./audit-page.ts";

export async function listWorkspaceAuditLog(
  context: TokenContext,
  { workspaceId, query }: ListWorkspaceAuditLogRequest,
): Promise<MessageInitShape<typeof ListWorkspaceAuditLogResponseSchema>> {
  await requireWorkspace(context.database.prisma, workspaceId);
  return { page: await auditPage(context, workspaceId, query) };
}
