import type { Sql } from "../sql.ts";
import type { IdempotencyKey } from "./idempotency-key.ts";

/** How long a response is stored (contract 3.4). */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;

export interface IdempotentResponse extends IdempotencyKey {
  response: Uint8Array;
  /** Id of the request that did the work; a replay repeats it. */
  requestId: string;
  answeredAt: Date;
}

/** Hex text, because drivers differ in arrays of bytea. The column body_sha256 contains a MAC of the SHA-256. */
const RECORD = `
INSERT INTO idempotency_records AS r
  (workspace_id, scope, key, body_sha256, response, request_id, answered_at, expires_at)
SELECT a.workspace_id, a.scope, a.key, decode(a.body_mac, 'hex'), decode(a.response, 'hex'), a.request_id,
  a.answered_at, a.expires_at
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::timestamptz[])
  AS a (workspace_id, scope, key, body_mac, response, request_id, answered_at, expires_at)
ON CONFLICT (workspace_id, scope, key) DO UPDATE SET
  body_sha256 = excluded.body_sha256, response = excluded.response, request_id = excluded.request_id,
  answered_at = excluded.answered_at, expires_at = excluded.expires_at
  WHERE r.expires_at <= excluded.answered_at
RETURNING r.key`;

/** Stores responses in the transaction of their work. Replaces expired records. Throws if a key has a valid one. */
export async function recordIdempotentResponses(sql: Sql, answers: readonly IdempotentResponse[]): Promise<void> {
  if (answers.length === 0) return;
  const written = await sql.query(RECORD, [
    answers.map((a) => a.workspaceId),
    answers.map((a) => a.scope),
    answers.map((a) => a.key),
    answers.map((a) => hex(a.bodyMac)),
    answers.map((a) => hex(a.response)),
    answers.map((a) => a.requestId),
    answers.map((a) => a.answeredAt.toISOString()),
    answers.map((a) => new Date(a.answeredAt.getTime() + IDEMPOTENCY_TTL_MS).toISOString()),
  ]);
  if (written.length !== answers.length)
    throw new Error("an idempotent answer was recorded for a key that was not claimed");
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
