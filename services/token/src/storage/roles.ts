import { builtInRoles } from "@canvass/access";
import { newId } from "@canvass/values";
import type { Prisma } from "../../gen/prisma/client.ts";
import type { NewRole } from "../domain/new-role.ts";
import { customRole } from "../domain/role-powers.ts";

export interface HeldRole {
  role: string;
  customRoleId: string | null;
}

type Prismatic = Pick<Prisma.TransactionClient, "customRole">;

export async function findRole(prisma: Prismatic, workspaceId: string, name: string): Promise<HeldRole | undefined> {
  if (Object.hasOwn(builtInRoles, name)) return { role: name, customRoleId: null };
  // No name contains NUL, which PostgreSQL rejects.
  if (name.includes("\0")) return undefined;
  const where = { workspaceId_name: { workspaceId, name } };
  const found = await prisma.customRole.findUnique({ where, select: { roleId: true } });
  return found ? { role: customRole, customRoleId: found.roleId } : undefined;
}

export async function insertRole(prisma: Prismatic, workspaceId: string, role: NewRole, now: Date): Promise<string> {
  const data = { workspaceId, roleId: newId(now), ...role, createdAt: now };
  const { roleId } = await prisma.customRole.create({ data, select: { roleId: true } });
  return roleId;
}
