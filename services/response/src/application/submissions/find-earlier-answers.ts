import { AppError } from "@canvass/errors";
import type { IdempotencyKey } from "@canvass/postgres";
import type { ResponseContext } from "../../context.ts";
import { claimBatch, type ReplayClaim } from "../../storage/claim-batch.ts";

/**
 * Finds the earlier answers of refused items whose idempotency key was used before. A replay or a reused key wins over any
 * other fault, also while the survey service is away. Two statements, however many items.
 */
export async function findEarlierAnswers<Item>(
  { database, now }: ResponseContext,
  keyed: readonly { item: Item; key: IdempotencyKey }[],
): Promise<Map<Item, ReplayClaim | AppError>> {
  // Outside a transaction a claim ends with its statement: only recorded keys matter here.
  const claims = await claimBatch(
    database.hot.sql,
    keyed.map(({ key }) => key),
    now(),
  );
  const answers = keyed.map(({ item }, index) => [item, claims[index]] as const);
  return new Map(answers.filter((entry): entry is [Item, ReplayClaim | AppError] => isOnRecord(entry[1])));
}

function isOnRecord(claim: ReplayClaim | AppError | undefined): boolean {
  return claim instanceof AppError ? claim.code === "idempotency_key_reused" : claim !== undefined;
}
