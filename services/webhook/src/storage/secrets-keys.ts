import type { Sql } from "@canvass/postgres";

export interface StoredKey {
  keyId: string;
  /** Sealed under a configured key. */
  sealed: Uint8Array;
}

/** Newest first. */
export function findSecretsKeys(sql: Sql): Promise<StoredKey[]> {
  return sql.query<StoredKey>(
    `SELECT key_id AS "keyId", sealed FROM secrets_keys ORDER BY created_at DESC, key_id DESC`,
  );
}

/** The key gets the latest time, even after the clock was set back. */
export async function insertSecretsKey(sql: Sql, { keyId, sealed }: StoredKey, now: Date): Promise<void> {
  await sql.query(
    `INSERT INTO secrets_keys (key_id, sealed, created_at)
     SELECT $1, decode($2, 'hex'), greatest($3::timestamptz, max(created_at) + interval '1 millisecond') FROM secrets_keys`,
    [keyId, Buffer.from(sealed).toString("hex"), now],
  );
}

export async function saveSecretsKey(sql: Sql, { keyId, sealed }: StoredKey): Promise<void> {
  await sql.query("UPDATE secrets_keys SET sealed = decode($2, 'hex') WHERE key_id = $1", [
    keyId,
    Buffer.from(sealed).toString("hex"),
  ]);
}

/**
 * Deletes the keys older than this one that seal no secret. A newer one belongs to a rotation that will seal with it.
 * Requires the exclusive lock.
 */
export async function deleteIdleSecretsKeys(sql: Sql, keyId: string): Promise<void> {
  await sql.query(
    `DELETE FROM secrets_keys WHERE created_at < (SELECT created_at FROM secrets_keys WHERE key_id = $1)
     AND key_id NOT IN (SELECT DISTINCT encode(substring(sealed FROM 2 FOR 4), 'hex') FROM subscription_secrets)`,
    [keyId],
  );
}

/** Writers of secrets share the lock until they commit. A rotation waits for them. */
export async function lockSecretsKeys(sql: Sql, kind: "shared" | "exclusive"): Promise<void> {
  const lock = kind === "shared" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock";
  // Cast to text, because Prisma cannot decode void.
  await sql.query(`SELECT ${lock}(hashtextextended('secrets keys', 0))::text AS locked`);
}
