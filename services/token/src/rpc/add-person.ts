import type { MessageInitShape } from "@bufbuild/protobuf";
import { validationFailed } from "@canvass/inputs";
import type { AddPersonRequest, AddPersonResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { emailViolations, emailKey, nameFieldViolations } from "../domain/named-fields.ts";
import { insertAuditEntry, operatorOf } from "../storage/audit-log.ts";
import { findRoleName, insertMembership } from "../storage/memberships.ts";
import { findOrInsertPerson, lockWorkspace } from "../storage/workspaces.ts";
import { requireRole } from "./require-role.ts";

/** The e-mail address identifies a person across workspaces. */
export async function addPerson(
  context: TokenContext,
  { workspaceId, name, email: givenEmail, role }: AddPersonRequest,
  call: Call,
): Promise<MessageInitShape<typeof AddPersonResponseSchema>> {
  const email = emailKey(givenEmail);
  const violations = [...nameFieldViolations("name", name), ...emailViolations("email", email)];
  if (violations.length > 0) throw validationFailed(violations);
  const now = context.now();
  return context.write(async (transaction) => {
    const { prisma, sql } = transaction;
    await lockWorkspace(transaction, workspaceId);
    const held = await requireRole(transaction, workspaceId, role);
    const personId = await findOrInsertPerson(sql, name.trim(), email, now);
    const member = { workspaceId, personId };
    if (await findRoleName(prisma, member)) {
      const message = `The person with this address is a member of the workspace already (${personId}).`;
      throw validationFailed([{ path: "email", message }]);
    }
    await insertMembership(prisma, member, held, now);
    await insertAuditEntry(prisma, {
      workspaceId,
      at: now,
      by: operatorOf(call),
      action: "person.added",
      resourceId: personId,
      after: { email, role },
    });
    return { personId };
  });
}
