import { newId } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import type { ApiToken, Prisma } from "../../gen/prisma/client.ts";

export type StoredToken = ApiToken;

/** A client of the database, or of one transaction in it. */
export type Prismatic = Pick<Prisma.TransactionClient, "apiToken">;

/** Whose tokens are meant: people see their own ones, in the workspace they act in. */
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

/** The owner's tokens that are neither revoked nor expired, oldest first. */
export async function listActiveTokens(prisma: Prismatic, owner: TokenOwner, now: Date): Promise<StoredToken[]> {
  return prisma.apiToken.findMany({ where: ofOwner(owner, now), orderBy: { tokenId: "asc" } });
}

/** One of the owner's tokens that are neither revoked nor expired, or null. */
export async function findActiveToken(
  prisma: Prismatic,
  owner: TokenOwner,
  tokenId: string,
  now: Date,
): Promise<StoredToken | null> {
  return prisma.apiToken.findFirst({ where: { ...ofOwner(owner, now), tokenId } });
}

/**
 * Locks tokens of one person until the transaction ends and returns their ids. Always in the order of their ids, so
 * that two transactions that need the same tokens never wait for each other crosswise.
 */
export async function lockTokens(sql: Sql, personId: string, tokenIds: readonly string[]): Promise<void> {
  await sql.query(
    "SELECT token_id FROM api_tokens WHERE person_id = $1 AND token_id = ANY($2::text[]) ORDER BY token_id FOR UPDATE",
    [personId, tokenIds],
  );
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

/** Writes new values to a token that the transaction has locked. */
export async function changeToken(
  prisma: Prismatic,
  { workspaceId, tokenId }: StoredToken,
  changes: { name?: string; scopes?: string[]; revokedAt?: Date },
): Promise<StoredToken> {
  return prisma.apiToken.update({ where: { workspaceId_tokenId: { workspaceId, tokenId } }, data: changes });
}

/** A token of the person in whatever workspace and state, or null. */
export async function findOwnToken(prisma: Prismatic, personId: string, tokenId: string): Promise<StoredToken | null> {
  return prisma.apiToken.findFirst({ where: { personId, tokenId } });
}
