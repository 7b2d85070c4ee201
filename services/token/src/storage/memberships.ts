import type { Prisma } from "../../gen/prisma/client.ts";
import { powersOf } from "../domain/role-powers.ts";
import type { HeldRole } from "./roles.ts";
import type { TokenOwner } from "./tokens.ts";

type Prismatic = Pick<Prisma.TransactionClient, "membership">;

const byMember = ({ workspaceId, personId }: TokenOwner) => ({
  workspaceId_personId: { workspaceId, personId },
});

export async function findPowers(prisma: Prismatic, owner: TokenOwner): Promise<readonly string[] | undefined> {
  const membership = await prisma.membership.findUnique({
    where: byMember(owner),
    select: { role: true, customRole: { select: { powers: true } } },
  });
  return membership ? powersOf(membership.role, membership.customRole?.powers ?? null) : undefined;
}

export async function findRoleName(prisma: Prismatic, owner: TokenOwner): Promise<string | undefined> {
  const membership = await prisma.membership.findUnique({
    where: byMember(owner),
    select: { role: true, customRole: { select: { name: true } } },
  });
  return membership ? (membership.customRole?.name ?? membership.role) : undefined;
}

export async function insertMembership(
  prisma: Prismatic,
  { workspaceId, personId }: TokenOwner,
  role: HeldRole,
  now: Date,
): Promise<void> {
  const data = { workspaceId, personId, ...role, createdAt: now };
  await prisma.membership.create({ data, select: { personId: true } });
}

export async function saveMembership(prisma: Prismatic, owner: TokenOwner, role: HeldRole): Promise<void> {
  await prisma.membership.update({ where: byMember(owner), data: { ...role }, select: { personId: true } });
}

export function countOwners(prisma: Prismatic, workspaceId: string): Promise<number> {
  return prisma.membership.count({ where: { workspaceId, role: "owner" } });
}
