import { validationFailed } from "@canvass/inputs";
import { isId, newId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Prisma } from "../../gen/prisma/client.ts";
import type { NewWorkspace } from "../domain/new-workspace.ts";
import type { TokenOwner } from "./tokens.ts";

export async function insertWorkspace(
  { prisma, sql }: { prisma: Prisma.TransactionClient; sql: Sql },
  { name, plan, timeZone, ownerName, ownerEmail }: NewWorkspace,
  now: Date,
): Promise<TokenOwner> {
  const { workspaceId } = await prisma.workspace.create({
    data: { workspaceId: newId(now), name, plan, timeZone, createdAt: now, updatedAt: now },
    select: { workspaceId: true },
  });
  const personId = await findOrInsertPerson(sql, ownerName, ownerEmail, now);
  await prisma.membership.create({
    data: { workspaceId, personId, role: "owner", createdAt: now },
    select: { personId: true },
  });
  return { workspaceId, personId };
}

/** A known person keeps their name. */
export async function findOrInsertPerson(sql: Sql, name: string, email: string, now: Date): Promise<string> {
  // Prisma's upsert fails under concurrency. This statement waits, and its assignment makes it return the row.
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
  timeZone: string;
  /** Time of the last change of plan. */
  updatedAt: Date;
}

export async function requireWorkspace(
  prisma: Pick<Prisma.TransactionClient, "workspace">,
  workspaceId: string,
): Promise<FoundWorkspace> {
  const select = { name: true, plan: true, timeZone: true, updatedAt: true };
  const workspace = isId(workspaceId) ? await prisma.workspace.findUnique({ where: { workspaceId }, select }) : null;
  if (!workspace) throw validationFailed([{ path: "workspace", message: "There is no such workspace." }]);
  return workspace;
}

/** Serializes operators' changes to a workspace. */
export async function lockWorkspace(
  { prisma, sql }: { prisma: Pick<Prisma.TransactionClient, "workspace">; sql: Sql },
  workspaceId: string,
): Promise<FoundWorkspace> {
  // Not FOR UPDATE, which would block inserts that refer to the workspace.
  const text = "SELECT workspace_id FROM workspaces WHERE workspace_id = $1 FOR NO KEY UPDATE";
  if (isId(workspaceId)) await sql.query(text, [workspaceId]);
  return requireWorkspace(prisma, workspaceId);
}

/** Waits for operators' changes in progress, so that later statements see them. */
export async function awaitChanges(sql: Sql, workspaceIds: readonly string[]): Promise<void> {
  const text = "SELECT FROM workspaces WHERE workspace_id = ANY ($1::text[]) ORDER BY workspace_id FOR SHARE";
  await sql.query(text, [workspaceIds]);
}

/** Requires the lock on the workspace. */
export async function savePlan(
  prisma: Pick<Prisma.TransactionClient, "workspace">,
  workspaceId: string,
  plan: string,
  changedAt: Date,
): Promise<void> {
  const data = { plan, updatedAt: changedAt };
  await prisma.workspace.update({ where: { workspaceId }, data, select: { workspaceId: true } });
}
