import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Prisma, PrismaClient } from "../../gen/prisma/client.ts";
import type { StoredSettings } from "../domain/distributor-settings.ts";
import type { DistributorStatus } from "../domain/distributor-state.ts";

type Row = Prisma.DistributorGetPayload<{ include: { opened: true } }>;

export interface StoredDistributor extends Omit<Row, "status" | "settings" | "opened"> {
  status: DistributorStatus;
  settings: StoredSettings;
  opened: bigint;
}

export interface DistributorKey {
  workspaceId: string;
  distributorId: string;
}

export type PrismaOrTransaction = PrismaClient | Prisma.TransactionClient;

const include = { opened: true } as const;

export async function findDistributor(
  { distributor }: PrismaOrTransaction,
  { workspaceId, distributorId }: DistributorKey,
): Promise<StoredDistributor | undefined> {
  if (!isId(distributorId)) return undefined;
  const where = { workspaceId_distributorId: { workspaceId, distributorId } };
  const row = await distributor.findUnique({ where, include });
  return row ? toStored(row) : undefined;
}

export async function lockDistributor(
  sql: Sql,
  prisma: PrismaOrTransaction,
  key: DistributorKey,
): Promise<StoredDistributor | undefined> {
  if (!isId(key.distributorId)) return undefined;
  await sql.query("SELECT FROM distributors WHERE workspace_id = $1 AND distributor_id = $2 FOR UPDATE", [
    key.workspaceId,
    key.distributorId,
  ]);
  return findDistributor(prisma, key);
}

export async function findDistributors(
  { distributor }: PrismaOrTransaction,
  { workspaceId, surveyId, before, limit }: { workspaceId: string; surveyId: string; before?: string; limit: number },
): Promise<StoredDistributor[]> {
  const rows = await distributor.findMany({
    where: { workspaceId, surveyId, ...(before !== undefined && { distributorId: { lt: before } }) },
    orderBy: { distributorId: "desc" },
    take: limit,
    include,
  });
  return rows.map(toStored);
}

/** Serializes the creation of distributors of a survey until the transaction ends. */
export async function lockAndCountDistributors(
  sql: Sql,
  { distributor }: PrismaOrTransaction,
  where: { workspaceId: string; surveyId: string },
): Promise<number> {
  // Cast to text, because Prisma cannot decode void.
  await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text AS locked", [
    `distributors of ${where.workspaceId} ${where.surveyId}`,
  ]);
  return distributor.count({ where });
}

export type NewDistributor = Omit<StoredDistributor, "revision" | "issuedLinks" | "deletingUntil" | "opened">;

export async function insertDistributor(
  { distributor }: PrismaOrTransaction,
  { settings, ...fields }: NewDistributor,
): Promise<StoredDistributor> {
  const data = { ...fields, settings: toJson(settings), revision: 1, opened: { create: { opened: 0n } } };
  return toStored(await distributor.create({ data, include }));
}

export type DistributorChanges = Partial<Pick<StoredDistributor, "name" | "status" | "settings" | "timeZone">>;

export async function saveDistributor(
  { distributor }: PrismaOrTransaction,
  { workspaceId, distributorId, revision }: StoredDistributor,
  { settings, ...changes }: DistributorChanges,
  at: Date,
): Promise<StoredDistributor> {
  const row = await distributor.update({
    where: { workspaceId_distributorId: { workspaceId, distributorId } },
    data: { ...changes, ...(settings && { settings: toJson(settings) }), revision: revision + 1, updatedAt: at },
    include,
  });
  return toStored(row);
}

export async function deleteDistributorRow(
  { distributor }: PrismaOrTransaction,
  { workspaceId, distributorId }: DistributorKey,
): Promise<void> {
  await distributor.delete({ where: { workspaceId_distributorId: { workspaceId, distributorId } } });
}

const toStored = ({ opened, status, settings, ...row }: Row): StoredDistributor => ({
  ...row,
  status: status as DistributorStatus,
  settings: settings as StoredSettings,
  opened: opened?.opened ?? 0n,
});

const toJson = (settings: StoredSettings): Prisma.InputJsonObject => ({ ...settings });
