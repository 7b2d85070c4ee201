import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { requireBatchSize } from "@canvass/inputs";
import { isId } from "@canvass/values";
import type { RecordTokenUsesRequest, RecordTokenUsesResponseSchema } from "@canvass/proto/token";
import type { TokenContext } from "../context.ts";
import { saveTokenUses, type TokenUse } from "../storage/token-uses.ts";

/** Stores the latest use of each token (contract 4.7). */
export async function recordTokenUses(
  { database, limitWrites, now }: TokenContext,
  { uses }: RecordTokenUsesRequest,
): Promise<MessageInitShape<typeof RecordTokenUsesResponseSchema>> {
  requireBatchSize("uses", uses);
  // One statement cannot write a row twice.
  const latest = new Map<string, TokenUse>();
  for (const { tokenId, usedAt, clientAddress } of uses) {
    if (!isId(tokenId) || !usedAt) continue;
    const use = { tokenId, usedAt: timestampDate(usedAt), clientAddress };
    if ((latest.get(tokenId)?.usedAt ?? 0) < use.usedAt) latest.set(tokenId, use);
  }
  if (latest.size > 0) await limitWrites(() => saveTokenUses(database.sql, [...latest.values()], now()));
  return {};
}
