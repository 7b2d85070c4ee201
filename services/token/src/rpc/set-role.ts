import type { MessageInitShape } from "@bufbuild/protobuf";
import { validationFailed } from "@canvass/inputs";
import { newEvent } from "@canvass/events";
import type { SetRoleRequest, SetRoleResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { insertAuditEntry, operatorOf } from "../storage/audit-log.ts";
import { saveMembership, countOwners } from "../storage/memberships.ts";
import { lockWorkspace } from "../storage/workspaces.ts";
import { requireMemberRole } from "./require-member-role.ts";
import { requireRole } from "./require-role.ts";

export async function setRole(
  context: TokenContext,
  { workspaceId, personId, role }: SetRoleRequest,
  call: Call,
): Promise<MessageInitShape<typeof SetRoleResponseSchema>> {
  const now = context.now();
  await context.write(async (transaction) => {
    const { prisma } = transaction;
    await lockWorkspace(transaction, workspaceId);
    const member = { workspaceId, personId };
    const before = await requireMemberRole(prisma, member);
    const held = await requireRole(transaction, workspaceId, role);
    if (before === role) return;
    if (before === "owner" && (await countOwners(prisma, workspaceId)) === 1) {
      throw validationFailed([{ path: "role", message: "A workspace keeps at least one owner." }]);
    }
    const event = newEvent({ workspaceId, occurredAt: now, body: { case: "membershipChanged", value: { personId } } });
    await saveMembership(prisma, member, held);
    await insertAuditEntry(prisma, {
      workspaceId,
      at: now,
      by: operatorOf(call),
      action: "person.role_changed",
      resourceId: personId,
      before: { role: before },
      after: { role },
    });
    await transaction.publish(event);
  });
  return {};
}
