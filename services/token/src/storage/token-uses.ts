import type { Sql } from "@canvass/postgres";
import type { Prisma } from "../../gen/prisma/client.ts";

export interface TokenUse {
  tokenId: string;
  usedAt: Date;
  clientAddress: string;
}

/**
 * Keeps the latest use. A use is not later than `now`, whatever the clock of its gateway, and one that was stored while the
 * clock here was ahead gives way. Skips unknown tokens. Writes in id order, so that batches cannot deadlock.
 */
export async function saveTokenUses(sql: Sql, uses: readonly TokenUse[], now: Date): Promise<void> {
  await sql.query(
    `INSERT INTO token_uses (workspace_id, token_id, used_at, client_address)
     SELECT t.workspace_id, t.token_id, least(use.used_at, $4::timestamptz), nullif(use.client_address, '')
     FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS use (token_id, used_at, client_address)
     JOIN api_tokens t ON t.token_id = use.token_id
     ORDER BY t.workspace_id, t.token_id
     ON CONFLICT (workspace_id, token_id) DO UPDATE
     SET used_at = excluded.used_at, client_address = excluded.client_address
     WHERE token_uses.used_at < excluded.used_at OR token_uses.used_at > $4`,
    [
      uses.map(({ tokenId }) => tokenId),
      uses.map(({ usedAt }) => usedAt.toISOString()),
      uses.map(({ clientAddress }) => clientAddress),
      now.toISOString(),
    ],
  );
}

export async function findLastUses(
  prisma: Pick<Prisma.TransactionClient, "tokenUse">,
  workspaceId: string,
  tokenIds: string[],
): Promise<ReadonlyMap<string, TokenUse>> {
  const uses = await prisma.tokenUse.findMany({ where: { workspaceId, tokenId: { in: tokenIds } } });
  return new Map(uses.map((use) => [use.tokenId, { ...use, clientAddress: use.clientAddress ?? "" }]));
}
