import { AppError } from "@canvass/errors";
import { claimIdempotencyKeys } from "../idempotency/claim-idempotency-keys.ts";
import type { IdempotencyKey, Replay } from "../idempotency/idempotency-key.ts";
import type { Sql } from "../sql.ts";
import { refusalOf } from "./idempotently.ts";

/** Claims a batch's keys. Per item, in order: undefined if new, the response to replay, or the key's error. */
export async function claimBatch(
  sql: Sql,
  keys: readonly (IdempotencyKey | undefined)[],
  now: Date,
): Promise<(Replay | AppError | undefined)[]> {
  const given = keys.filter((key) => key !== undefined);
  const claims = (await claimIdempotencyKeys(sql, given, now)).values();
  return keys.map((key) => {
    const claim = key && claims.next().value!;
    if (!claim || claim.state === "claimed") return undefined;
    return claim.state === "replay" ? claim : refusalOf(claim);
  });
}

/**
 * Finds what earlier requests left under the keys of refused items: the response to replay, or the error of a reused key. Both
 * take precedence over the item's own error.
 */
export async function findEarlierAnswers<Item>(
  sql: Sql,
  keyed: readonly { item: Item; key: IdempotencyKey }[],
  now: Date,
): Promise<Map<Item, Replay | AppError>> {
  // Outside a transaction claims end with the statement. Only recorded keys matter here.
  const keys = keyed.map(({ key }) => key);
  const claims = await claimBatch(sql, keys, now);
  const answers = keyed.map(({ item }, index) => [item, claims[index]] as const);
  return new Map(answers.filter((entry): entry is [Item, Replay | AppError] => isOnRecord(entry[1])));
}

function isOnRecord(claim: Replay | AppError | undefined): boolean {
  return claim instanceof AppError ? claim.code === "idempotency_key_reused" : claim !== undefined;
}
