import type { MessageInitShape } from "@bufbuild/protobuf";
import { requireBatchSize } from "@canvass/inputs";
import type {
  BatchGetLinkUsesRequest,
  BatchGetLinkUsesResponseSchema,
  LinkUseSchema,
} from "@canvass/proto/response-links";
import type { ResponseContext } from "../context.ts";
import { shownCompletion } from "../domain/respondents/recorded-time.ts";
import { findLinkUses, type UsedLink } from "../storage/links/used-links.ts";

/** When links for one person were used, and what became of it as far as anonymity lets that be known. */
export async function batchGetLinkUses(
  { database }: ResponseContext,
  { workspaceId, linkIds }: BatchGetLinkUsesRequest,
): Promise<MessageInitShape<typeof BatchGetLinkUsesResponseSchema>> {
  requireBatchSize("link_ids", linkIds);
  const links = [...new Set(linkIds)].map((linkId) => ({ workspaceId, linkId }));
  const uses = new Map((await findLinkUses(database.sql, links)).map((use) => [use.linkId, toMessage(use)]));
  return { uses: linkIds.map((linkId) => uses.get(linkId) ?? {}) };
}

function toMessage({
  respondentId,
  usedAt,
  isAnonymous,
  completedAt,
}: UsedLink): MessageInitShape<typeof LinkUseSchema> {
  return { respondentId, usedAt: shownCompletion(usedAt, isAnonymous), status: completedAt ? "completed" : "started" };
}
