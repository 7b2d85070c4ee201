import type { Sql } from "../sql.ts";
import type { IdempotencyKey, Replay, Reused } from "./idempotency-key.ts";

interface StoredRow {
  index: number;
  body_mac: Uint8Array;
  response: Uint8Array;
  request_id: string;
  answered_at: Date;
}

const FIND = `
SELECT wanted.index::int4 AS index, r.body_sha256 AS body_mac, r.response, r.request_id, r.answered_at
FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS wanted (workspace_id, scope, key, index)
JOIN idempotency_records r USING (workspace_id, scope, key)
WHERE r.expires_at > $4::timestamptz`;

export async function findStoredResponses(
  sql: Sql,
  keys: readonly IdempotencyKey[],
  now: Date,
): Promise<(Replay | Reused | undefined)[]> {
  const columns = [keys.map((k) => k.workspaceId), keys.map((k) => k.scope), keys.map((k) => k.key)];
  const rows = await sql.query<StoredRow>(FIND, [...columns, now]);
  const found = new Map(rows.map((row) => [row.index - 1, row]));
  return keys.map((key, index) => evaluate(key, found.get(index)));
}

function evaluate({ bodyMac, bodySha256 }: IdempotencyKey, row: StoredRow | undefined): Replay | Reused | undefined {
  if (row === undefined) return undefined;
  const isSame = [bodyMac, bodySha256].some((digest) => Buffer.compare(digest, row.body_mac) === 0);
  if (!isSame) return { state: "reused" };
  return { state: "replay", response: row.response, requestId: row.request_id, answeredAt: row.answered_at };
}
