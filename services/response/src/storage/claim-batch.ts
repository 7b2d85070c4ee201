import { AppError } from "@canvass/errors";
import { claimIdempotencyKeys, type Claim, type IdempotencyKey, type Sql } from "@canvass/postgres";

export type ReplayClaim = Extract<Claim, { state: "replay" }>;

/** Claims a batch's keys. Per item, in order: undefined if new, the response to replay, or the key's error. */
export async function claimBatch(
  sql: Sql,
  keys: readonly (IdempotencyKey | undefined)[],
  now: Date,
): Promise<(ReplayClaim | AppError | undefined)[]> {
  const given = keys.filter((key) => key !== undefined);
  const claims = (await claimIdempotencyKeys(sql, given, now)).values();
  return keys.map((key) => (key ? outcomeOf(claims.next().value!) : undefined));
}

function outcomeOf(claim: Claim): ReplayClaim | AppError | undefined {
  switch (claim.state) {
    case "claimed":
      return undefined;
    case "replay":
      return claim;
    case "reused":
      return new AppError("idempotency_key_reused");
    case "in_progress":
      return new AppError("idempotency_in_progress");
  }
}
