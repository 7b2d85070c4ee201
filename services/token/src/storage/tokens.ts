import { newId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { ApiToken, Prisma } from "../../gen/prisma/client.ts";

export type StoredToken = ApiToken;

export type Prismatic = Pick<Prisma.TransactionClient, "apiToken">;

/** People see only their own tokens, in the workspace of the call. */
export interface TokenOwner {
  workspaceId: string;
  personId: string;
}

const ofOwner = ({ workspaceId, personId }: TokenOwner, now: Date): Prisma.ApiTokenWhereInput => ({
  workspaceId,
  personId,
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});

export async function findActiveTokens(prisma: Prismatic, owner: TokenOwner, now: Date): Promise<StoredToken[]> {
  return prisma.apiToken.findMany({ where: ofOwner(owner, now), orderBy: { tokenId: "asc" } });
}

export async function findActiveToken(
  prisma: Prismatic,
  owner: TokenOwner,
  tokenId: string,
  now: Date,
): Promise<StoredToken | null> {
  return prisma.apiToken.findFirst({ where: { ...ofOwner(owner, now), tokenId } });
}

/** Locks in id order, so that transactions cannot deadlock. */
export async function lockTokens(sql: Sql, personId: string, tokenIds: readonly string[]): Promise<void> {
  await sql.query(
    "SELECT token_id FROM api_tokens WHERE person_id = $1 AND token_id = ANY($2::text[]) ORDER BY token_id FOR UPDATE",
    [personId, tokenIds],
  );
}

export async function lockToken(
  { sql, prisma }: { sql: Sql; prisma: Prismatic },
  workspaceId: string,
  tokenId: string,
): Promise<StoredToken | null> {
  await sql.query("SELECT 1 FROM api_tokens WHERE workspace_id = $1 AND token_id = $2 FOR UPDATE", [
    workspaceId,
    tokenId,
  ]);
  return prisma.apiToken.findUnique({ where: { workspaceId_tokenId: { workspaceId, tokenId } } });
}

export interface NewToken extends TokenOwner {
  tokenSha256: Uint8Array<ArrayBuffer>;
  name: string;
  scopes: string[];
  live: boolean;
  expiresAt: Date | null;
}

export async function insertToken(prisma: Prismatic, token: NewToken, now: Date): Promise<StoredToken> {
  return prisma.apiToken.create({ data: { ...token, tokenId: newId(now), createdAt: now } });
}

/** Requires the lock on the token. */
export async function saveToken(
  prisma: Prismatic,
  { workspaceId, tokenId }: StoredToken,
  changes: { name?: string; scopes?: string[]; revokedAt?: Date },
): Promise<StoredToken> {
  return prisma.apiToken.update({ where: { workspaceId_tokenId: { workspaceId, tokenId } }, data: changes });
}

export async function findOwnToken(prisma: Prismatic, personId: string, tokenId: string): Promise<StoredToken | null> {
  return prisma.apiToken.findFirst({ where: { personId, tokenId } });
}
