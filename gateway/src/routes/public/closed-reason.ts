import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { parseInstant } from "@canvass/inputs";
import type { Link } from "@canvass/proto/distribution-links";
import type { Collection } from "@canvass/proto/survey";
import type { FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import { readSettings } from "./public-survey-view.ts";
import { respondentTokenOf } from "../../plugins/authentication/respondent-token.ts";

/** Its path names the link. */
export type LinkRequest = FastifyRequest<{ Params: { code: string } }>;

/**
 * Why a link takes nobody now: a reason of `survey_not_collecting`; null when it does. For people to read: the response
 * service decides when somebody starts.
 */
export async function closedReason(
  context: GatewayContext,
  request: LinkRequest,
  link: Link,
  collection: Collection,
): Promise<string | null> {
  const now = context.now();
  return (
    reasonOfLink(link, now) ??
    reasonOfSurvey(collection, link, now) ??
    (await reasonOfResponses(context, request, link))
  );
}

function reasonOfLink({ status, opensAt, closesAt }: Link, now: Date): string | null {
  if (status === "paused") return "link_paused";
  if (status !== "active") return "link_closed";
  if (isAfter(opensAt, now)) return "link_not_open_yet";
  return closesAt && !isAfter(closesAt, now) ? "link_closed" : null;
}

const isAfter = (moment: Timestamp | undefined, now: Date) => moment !== undefined && timestampDate(moment) > now;

function reasonOfSurvey({ active, versionId, settingsJson }: Collection, link: Link, now: Date): string | null {
  if (versionId === "") return "not_published";
  if (!active) return "inactive";
  const { schedule, access } = readSettings(settingsJson);
  const [opensAt, closesAt] = [schedule.opensAt, schedule.closesAt].map((text) => parseInstant(text ?? ""));
  if (opensAt && now < opensAt) return "not_open_yet";
  if (closesAt && now >= closesAt) return "closed";
  return access.inviteOnly && link.linkId === "" ? "invite_only" : null;
}

/** By what came of the link. Who used it goes on. */
async function reasonOfResponses(
  context: GatewayContext,
  request: LinkRequest,
  { workspaceId, distributorId, linkId, type, responseLimit }: Link,
): Promise<string | null> {
  const { code } = request.params;
  const { linkResponses } = context.clients;
  const options = rpcOptions(context, request);
  if (linkId !== "") {
    const sessionToken = respondentTokenOf(request);
    const asked = { workspaceId, linkIds: [linkId], sessionToken, code };
    const { uses } = await linkResponses.batchGetLinkUses(asked, options);
    const { usedAt = "", status, respondentId, isOwn = sessionToken !== "" } = uses[0] ?? {};
    const goesOn = type === "personal_link" && status === "started" && respondentId !== "";
    if (usedAt !== "" && !isOwn && !goesOn) return "link_used";
  }
  if (responseLimit === undefined) return null;
  const asked = { distributors: [{ workspaceId, distributorId }] };
  const { results } = await linkResponses.batchGetDistributorResults(asked, options);
  return (results[0]?.completed ?? 0n) >= responseLimit ? "link_limit" : null;
}
