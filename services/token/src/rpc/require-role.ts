import { builtInRoles } from "@canvass/access";
import { validationFailed } from "@canvass/inputs";
import { findRole, type HeldRole } from "../storage/roles.ts";
import type { TokenTransaction } from "../context.ts";

export async function requireRole(
  { prisma }: Pick<TokenTransaction, "prisma">,
  workspaceId: string,
  name: string,
): Promise<HeldRole> {
  const role = await findRole(prisma, workspaceId, name);
  if (role) return role;
  const message = `Use one of ${Object.keys(builtInRoles).join(", ")}, or a custom role of the workspace.`;
  throw validationFailed([{ path: "role", message }]);
}
