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

/** Finds stored responses of refused items: a replay or a reused key takes precedence over any other error. */
export async function findEarlierAnswers<Item>(
  sql: Sql,
  keyed: readonly { item: Item; key: IdempotencyKey }[],
  now: Date,
): Promise<Map<Item, ReplayClaim | AppError>> {
  // Outside a transaction claims end with the statement. Only recorded keys matter here.
  const keys = keyed.map(({ key }) => key);
  const claims = await claimBatch(sql, keys, now);
  const answers = keyed.map(({ item }, index) => [item, claims[index]] as const);
  return new Map(answers.filter((entry): entry is [Item, ReplayClaim | AppError] => isOnRecord(entry[1])));
}

function isOnRecord(claim: ReplayClaim | AppError | undefined): boolean {
  return claim instanceof AppError ? claim.code === "idempotency_key_reused" : claim !== undefined;
}
