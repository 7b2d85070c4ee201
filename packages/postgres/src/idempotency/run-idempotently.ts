import type { Sql } from "../sql.ts";
import { claimIdempotencyKeys } from "./claim-idempotency-keys.ts";
import type { IdempotencyKey, InProgress, Replay, Reused } from "./idempotency-key.ts";
import { recordIdempotentResponses } from "./record-idempotent-responses.ts";
import { findStoredResponses } from "./stored-responses.ts";

export interface IdempotentWrite {
  key: IdempotencyKey | undefined;
  requestId: string;
  now: Date;
}

export interface Executed {
  state: "executed";
  response: Uint8Array;
}

/** Claims the key, runs `work` and records its response in one transaction; it must roll back if `work` throws. */
export async function runIdempotently(
  sql: Sql,
  { key, requestId, now }: IdempotentWrite,
  work: () => Promise<Uint8Array>,
): Promise<Executed | Replay | Reused | InProgress> {
  if (key === undefined) return { state: "executed", response: await work() };
  const [claim] = await claimIdempotencyKeys(sql, [key], now);
  if (claim !== undefined && claim.state !== "claimed") return claim;
  const response = await work();
  await recordIdempotentResponses(sql, [{ ...key, response, requestId, answeredAt: now }]);
  return { state: "executed", response };
}

/** Finds the stored response of a key without claiming it. A key whose request is still running is `absent`, too. */
export async function lookupIdempotencyKey(
  sql: Sql,
  key: IdempotencyKey,
  now: Date,
): Promise<Replay | Reused | { state: "absent" }> {
  const [stored] = await findStoredResponses(sql, [key], now);
  return stored ?? { state: "absent" };
}
