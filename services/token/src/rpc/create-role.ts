import type { MessageInitShape } from "@bufbuild/protobuf";
import { validationFailed } from "@canvass/inputs";
import type { CreateRoleRequest, CreateRoleResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { validateNewRole } from "../domain/new-role.ts";
import { insertAuditEntry, operatorOf } from "../storage/audit-log.ts";
import { findRole, insertRole } from "../storage/roles.ts";
import { lockWorkspace } from "../storage/workspaces.ts";

/** A custom role is a named set of powers (contract 4.4). */
export async function createRole(
  context: TokenContext,
  { workspaceId, ...given }: CreateRoleRequest,
  call: Call,
): Promise<MessageInitShape<typeof CreateRoleResponseSchema>> {
  const role = validateNewRole(given);
  const now = context.now();
  return context.write(async (transaction) => {
    const { prisma } = transaction;
    await lockWorkspace(transaction, workspaceId);
    if (await findRole(prisma, workspaceId, role.name)) {
      throw validationFailed([{ path: "name", message: "The workspace has a role of this name already." }]);
    }
    const roleId = await insertRole(prisma, workspaceId, role, now);
    await insertAuditEntry(prisma, {
      workspaceId,
      at: now,
      by: operatorOf(call),
      action: "role.created",
      resourceId: roleId,
      after: { ...role },
    });
    return { roleId };
  });
}
