import type { Sql } from "@canvass/postgres";

export interface SealedSecret {
  workspaceId: string;
  subscriptionId: string;
  secretId: string;
  sealed: Uint8Array;
}

/** The position of a secret in the order of the primary key. */
export type SecretPlace = Pick<SealedSecret, "workspaceId" | "subscriptionId" | "secretId">;

/** Counts secrets by the id of the key that seals them. */
export async function countSecretsByKey(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql.query<{ keyId: string; secrets: number }>(
    `SELECT encode(substring(sealed FROM 2 FOR 4), 'hex') AS "keyId", count(*)::int4 AS secrets
     FROM subscription_secrets GROUP BY 1 ORDER BY 1`,
  );
  return new Map(rows.map(({ keyId, secrets }) => [keyId, secrets]));
}

/** Locks and returns secrets that other keys seal, after a position in the order of the primary key. */
export function lockSecretsOfOtherKeys(
  sql: Sql,
  keyId: string,
  { workspaceId, subscriptionId, secretId }: SecretPlace,
  limit: number,
): Promise<SealedSecret[]> {
  return sql.query<SealedSecret>(
    `SELECT workspace_id AS "workspaceId", subscription_id AS "subscriptionId", secret_id AS "secretId", sealed
     FROM subscription_secrets
     WHERE (workspace_id, subscription_id, secret_id) > ($2, $3, $4)
       AND substring(sealed FROM 2 FOR 4) <> decode($1, 'hex')
     ORDER BY workspace_id, subscription_id, secret_id LIMIT $5 FOR UPDATE`,
    [keyId, workspaceId, subscriptionId, secretId, limit],
  );
}

export async function saveSealedSecrets(sql: Sql, secrets: readonly SealedSecret[]): Promise<void> {
  await sql.query(
    `UPDATE subscription_secrets s SET sealed = decode(anew.sealed, 'hex')
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS anew (workspace_id, subscription_id, secret_id, sealed)
     WHERE s.workspace_id = anew.workspace_id AND s.subscription_id = anew.subscription_id
       AND s.secret_id = anew.secret_id`,
    [
      secrets.map(({ workspaceId }) => workspaceId),
      secrets.map(({ subscriptionId }) => subscriptionId),
      secrets.map(({ secretId }) => secretId),
      secrets.map(({ sealed }) => Buffer.from(sealed).toString("hex")),
    ],
  );
}

/** Skips what a replacement of the key has locked: waiting for it, in another order, could be a deadlock. */
export async function purgeExpiredSecrets(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query<{ deleted: number }>(
    `WITH old AS (
       SELECT workspace_id, subscription_id, secret_id FROM subscription_secrets
       WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
     ), gone AS (
       DELETE FROM subscription_secrets s USING old
       WHERE s.workspace_id = old.workspace_id AND s.subscription_id = old.subscription_id
         AND s.secret_id = old.secret_id
       RETURNING 1
     )
     SELECT count(*)::int4 AS deleted FROM gone`,
    [before, limit],
  );
  return rows[0]!.deleted;
}
