import type { Sql } from "../sql.ts";
import { lockNumber } from "./idempotency-key.ts";
import type { IdempotencyKey, InProgress, Replay, Reused } from "./idempotency-key.ts";
import { findStoredResponses } from "./stored-responses.ts";

/** The caller must do the work and record its response in the same transaction. */
export interface Claimed {
  state: "claimed";
}

export type Claim = Claimed | Replay | Reused | InProgress;

const TRY_LOCKS = `
SELECT wanted.index::int4 AS index, pg_try_advisory_xact_lock(wanted.lock) AS locked
FROM unnest($1::int8[]) WITH ORDINALITY AS wanted (lock, index)`;

/**
 * Claims keys until the transaction (READ COMMITTED) ends. Never waits (contract 3.5). A second call of the same
 * transaction would claim its keys again, because advisory locks do not exclude their own session.
 */
export async function claimIdempotencyKeys(sql: Sql, keys: readonly IdempotencyKey[], now: Date): Promise<Claim[]> {
  if (keys.length === 0) return [];
  const locks = keys.map(lockNumber);
  const rows = await sql.query<{ index: number; locked: boolean }>(TRY_LOCKS, [locks]);
  const locked = new Set(rows.filter((row) => row.locked).map((row) => row.index - 1));
  // A separate statement: its snapshot includes what the previous lock holders committed.
  const stored = await findStoredResponses(sql, keys, now);
  const taken = new Set<string>();
  return locks.map((lock, index): Claim => {
    const first = !taken.has(lock);
    taken.add(lock);
    return stored[index] ?? { state: locked.has(index) && first ? "claimed" : "in_progress" };
  });
}
