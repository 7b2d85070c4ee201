import { isId, newId, validationFailed } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import type { Prisma } from "../../gen/prisma/client.ts";
import type { NewWorkspace } from "../domain/new-workspace.ts";
import type { TokenOwner } from "./tokens.ts";

/** Inserts a workspace and the membership of its owner, who may be a person known from another workspace. */
export async function insertWorkspace(
  { prisma, sql }: { prisma: Prisma.TransactionClient; sql: Sql },
  { name, plan, timeZone, ownerName, ownerEmail }: NewWorkspace,
  now: Date,
): Promise<TokenOwner> {
  const { workspaceId } = await prisma.workspace.create({
    data: { workspaceId: newId(now), name, plan, timeZone, createdAt: now, updatedAt: now },
    select: { workspaceId: true },
  });
  const personId = await ensurePerson(sql, ownerName, ownerEmail, now);
  await prisma.membership.create({
    data: { workspaceId, personId, role: "owner", createdAt: now },
    select: { personId: true },
  });
  return { workspaceId, personId };
}

/** The id of the person with that address, who is made when there is none. A known person's name stays. */
export async function ensurePerson(sql: Sql, name: string, email: string, now: Date): Promise<string> {
  // Prisma's upsert reads first and fails when two transactions meet; this waits, and the assignment makes it return.
  const [row] = await sql.query<{ personId: string }>(
    `INSERT INTO people (person_id, name, email, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email) DO UPDATE SET email = excluded.email RETURNING person_id AS "personId"`,
    [newId(now), name, email, now],
  );
  return row!.personId;
}

export interface FoundWorkspace {
  name: string;
  plan: string;
  /** When it got this plan. */
  updatedAt: Date;
}

/** For operators. Throws `validation_failed` on `workspace` when there is no such workspace. */
export async function requireWorkspace(
  prisma: Pick<Prisma.TransactionClient, "workspace">,
  workspaceId: string,
): Promise<FoundWorkspace> {
  const select = { name: true, plan: true, updatedAt: true };
  const workspace = isId(workspaceId) ? await prisma.workspace.findUnique({ where: { workspaceId }, select }) : null;
  if (!workspace) throw validationFailed([{ path: "workspace", message: "There is no such workspace." }]);
  return workspace;
}

/**
 * The workspace as it is, held until the transaction ends, so that what operators decide about its plan, members and
 * roles is decided one after the other. Throws as requireWorkspace does.
 */
export async function lockWorkspace(
  { prisma, sql }: { prisma: Pick<Prisma.TransactionClient, "workspace">; sql: Sql },
  workspaceId: string,
): Promise<FoundWorkspace> {
  // Not FOR UPDATE: inserts that refer to the workspace may go on meanwhile.
  const text = "SELECT workspace_id FROM workspaces WHERE workspace_id = $1 FOR NO KEY UPDATE";
  if (isId(workspaceId)) await sql.query(text, [workspaceId]);
  return requireWorkspace(prisma, workspaceId);
}

/** Gives a workspace that the transaction has locked another plan. */
export async function changePlan(
  prisma: Pick<Prisma.TransactionClient, "workspace">,
  workspaceId: string,
  plan: string,
  changedAt: Date,
): Promise<void> {
  const data = { plan, updatedAt: changedAt };
  await prisma.workspace.update({ where: { workspaceId }, data, select: { workspaceId: true } });
}
