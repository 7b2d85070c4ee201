import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ListAuditLogRequest, ListAuditLogResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { auditPage } from "./audit-page.ts";

export async function listAuditLog(
  context: TokenContext,
  { query }: ListAuditLogRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof ListAuditLogResponseSchema>> {
  return { page: await auditPage(context, caller.workspaceId, query) };
}
