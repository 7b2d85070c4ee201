import { validationFailed } from "@canvass/inputs";
import { isId } from "@canvass/values";
import { findRoleName } from "../storage/memberships.ts";
import type { TokenOwner } from "../storage/tokens.ts";
import type { TokenTransaction } from "../context.ts";

/** Returns the name of a member's role. Throws `validation_failed` if the person is no member. */
export async function requireMemberRole(prisma: TokenTransaction["prisma"], member: TokenOwner): Promise<string> {
  const role = isId(member.personId) ? await findRoleName(prisma, member) : undefined;
  if (role === undefined) {
    throw validationFailed([{ path: "person", message: "There is no such person in the workspace." }]);
  }
  return role;
}
