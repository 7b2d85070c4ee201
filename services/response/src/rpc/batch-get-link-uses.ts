import type { MessageInitShape } from "@bufbuild/protobuf";
import { requireBatchSize } from "@canvass/inputs";
import type {
  BatchGetLinkUsesRequest,
  BatchGetLinkUsesResponseSchema,
  LinkUseSchema,
} from "@canvass/proto/response-links";
import type { ResponseContext } from "../context.ts";
import { startsAgain } from "../domain/links/starts-again.ts";
import { respondentStatus } from "../domain/respondents/respondent-state.ts";
import { shownCompletion } from "../domain/respondents/recorded-time.ts";
import { findSession, type Session } from "../application/links/session.ts";
import { findLinkUses, type UsedLink } from "../storage/links/used-links.ts";

/** With `code`, leaves out uses after which the next start counts as the first. Ignores an invalid session token. */
export async function batchGetLinkUses(
  context: ResponseContext,
  { workspaceId, linkIds, sessionToken, code }: BatchGetLinkUsesRequest,
): Promise<MessageInitShape<typeof BatchGetLinkUsesResponseSchema>> {
  requireBatchSize("link_ids", linkIds);
  const guest = findSession(context.cursors, code, sessionToken);
  const links = [...new Set(linkIds)].map((linkId) => ({ workspaceId, linkId }));
  const found = await findLinkUses(context.database.sql, links);
  const used = code === "" ? found : await withoutOutdated(context, code, found);
  const uses = new Map(used.map((use) => [use.linkId, toMessage(use, guest)]));
  return { uses: linkIds.map((linkId) => uses.get(linkId) ?? {}) };
}

async function withoutOutdated(context: ResponseContext, code: string, uses: UsedLink[]): Promise<UsedLink[]> {
  const outdated = await Promise.all(uses.map((use) => isOutdated(context, code, use)));
  return uses.filter((_, index) => !outdated[index]);
}

/**
 * Whether the next start counts as the first. Tries the strictest privacy first, so that the survey is looked up only
 * if its settings matter.
 */
async function isOutdated({ surveys, links }: ResponseContext, code: string, use: UsedLink): Promise<boolean> {
  if (!startsAgain(use, mostPrivacy)) return false;
  const { workspaceId } = use;
  // Under partial anonymity the use names no respondent and no survey; only the link's code leads to the survey.
  const surveyId = use.surveyId ?? (await links.byCode(code)).surveyId;
  if (surveyId === "") return false;
  return startsAgain(use, (await surveys.collectingState({ workspaceId, surveyId })).settings.privacy);
}

const mostPrivacy = { anonymity: "full", collectCountry: false } as const;

function toMessage(use: UsedLink, guest: Session | undefined): MessageInitShape<typeof LinkUseSchema> {
  const { respondentId, usedAt, isErased } = use;
  const isAnonymous = respondentId === "" && !isErased;
  return {
    respondentId,
    // Older processes kept the moment with partial anonymity.
    usedAt: shownCompletion(usedAt, isAnonymous),
    status: respondentStatus(use),
    isOwn: guest !== undefined && isUseOf(guest, use),
  };
}

/** A use without a respondent belongs to every session of its link, because only one start by a link gets a session. */
function isUseOf(guest: Session, { workspaceId, linkId, respondentId }: UsedLink): boolean {
  const isSame = respondentId === "" || respondentId === guest.respondentId;
  return guest.workspaceId === workspaceId && guest.linkId === linkId && isSame;
}
