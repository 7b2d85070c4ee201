import type { Sql } from "@canvass/postgres";
import type { Prisma } from "../../gen/prisma/client.ts";

export interface TokenUse {
  tokenId: string;
  usedAt: Date;
  /** IP address; empty when it is not known. */
  clientAddress: string;
}

/**
 * Notes when tokens were last used, all in one statement. A later use that is known already stays, so gateways may tell
 * theirs in any order; what is no token is passed over. Rows are written in the order of ids, so that two batches with
 * the same tokens never wait for each other crosswise.
 */
export async function saveTokenUses(sql: Sql, uses: readonly TokenUse[]): Promise<void> {
  await sql.query(
    `INSERT INTO token_uses (workspace_id, token_id, used_at, client_address)
     SELECT t.workspace_id, t.token_id, use.used_at, nullif(use.client_address, '')
     FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS use (token_id, used_at, client_address)
     JOIN api_tokens t ON t.token_id = use.token_id
     ORDER BY t.workspace_id, t.token_id
     ON CONFLICT (workspace_id, token_id) DO UPDATE
     SET used_at = excluded.used_at, client_address = excluded.client_address
     WHERE token_uses.used_at < excluded.used_at`,
    [
      uses.map(({ tokenId }) => tokenId),
      uses.map(({ usedAt }) => usedAt.toISOString()),
      uses.map(({ clientAddress }) => clientAddress),
    ],
  );
}

/** The last uses of tokens of one workspace, by token id; one that was never used has none. */
export async function findLastUses(
  prisma: Pick<Prisma.TransactionClient, "tokenUse">,
  workspaceId: string,
  tokenIds: string[],
): Promise<ReadonlyMap<string, TokenUse>> {
  const uses = await prisma.tokenUse.findMany({ where: { workspaceId, tokenId: { in: tokenIds } } });
  return new Map(uses.map((use) => [use.tokenId, { ...use, clientAddress: use.clientAddress ?? "" }]));
}
