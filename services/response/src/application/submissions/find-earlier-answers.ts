import { AppError } from "@canvass/errors";
import type { IdempotencyKey } from "@canvass/postgres";
import type { ResponseContext } from "../../context.ts";
import { claimBatch, type ReplayClaim } from "../../storage/claim-batch.ts";

/** Returns stored responses of refused items: a replay or a reused key takes precedence over any other error. */
export async function findEarlierAnswers<Item>(
  { database, now }: ResponseContext,
  keyed: readonly { item: Item; key: IdempotencyKey }[],
): Promise<Map<Item, ReplayClaim | AppError>> {
  // Outside a transaction claims end with the statement. Only recorded keys matter here.
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
