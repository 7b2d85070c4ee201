import type { MessageInitShape } from "@bufbuild/protobuf";
import { requireBatchSize } from "@canvass/inputs";
import type {
  BatchGetLinkUsesRequest,
  BatchGetLinkUsesResponseSchema,
  LinkUseSchema,
} from "@canvass/proto/response-links";
import type { ResponseContext } from "../context.ts";
import { shownCompletion } from "../domain/respondents/recorded-time.ts";
import { findSession, type Session } from "../application/links/session.ts";
import { findLinkUses, type UsedLink } from "../storage/links/used-links.ts";

/**
 * When links for one person were used, and what became of it as far as anonymity lets that be known. A session that is none is
 * nobody's.
 */
export async function batchGetLinkUses(
  { database, cursors }: ResponseContext,
  { workspaceId, linkIds, sessionToken, code }: BatchGetLinkUsesRequest,
): Promise<MessageInitShape<typeof BatchGetLinkUsesResponseSchema>> {
  requireBatchSize("link_ids", linkIds);
  const guest = findSession(cursors, code, sessionToken);
  const links = [...new Set(linkIds)].map((linkId) => ({ workspaceId, linkId }));
  const uses = new Map((await findLinkUses(database.sql, links)).map((use) => [use.linkId, toMessage(use, guest)]));
  return { uses: linkIds.map((linkId) => uses.get(linkId) ?? {}) };
}

function toMessage(use: UsedLink, guest: Session | undefined): MessageInitShape<typeof LinkUseSchema> {
  const { respondentId, usedAt, isAnonymous, completedAt } = use;
  return {
    respondentId,
    usedAt: shownCompletion(usedAt, isAnonymous),
    status: completedAt ? "completed" : "started",
    isOwn: guest !== undefined && isUseOf(guest, use),
  };
}

/** Only a link's first start, or one that goes on as the same respondent, gets a session of it. */
function isUseOf(guest: Session, { workspaceId, linkId, respondentId }: UsedLink): boolean {
  const isSame = respondentId === "" || respondentId === guest.respondentId;
  return guest.workspaceId === workspaceId && guest.linkId === linkId && isSame;
}
