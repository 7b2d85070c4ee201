import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { parseInstant } from "@canvass/values";
import type { Link } from "@canvass/proto/distribution-links";
import type { Collection } from "@canvass/proto/survey";
import type { FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import { readSettings } from "./public-survey-view.ts";
import { respondentTokenOf } from "../../plugins/authentication/respondent-token.ts";

export type LinkRequest = FastifyRequest<{ Params: { code: string } }>;

export interface LinkAvailability {
  /** The reason why a start is refused, as in `survey_not_collecting`. Null if it is possible. */
  reason: string | null;
  /** Whether a start continues as a respondent that has begun, perhaps on another device. */
  goesOn: boolean;
}

/** Returns the state of a link for display. The response service decides again at the start. */
export async function findLinkAvailability(
  context: GatewayContext,
  request: LinkRequest,
  link: Link,
  collection: Collection,
): Promise<LinkAvailability> {
  const now = context.now();
  const closed = reasonOfLink(link, now) ?? reasonOfSurvey(collection, link, now);
  return closed === null ? availabilityByResponses(context, request, link) : { reason: closed, goesOn: false };
}

function reasonOfLink({ status, opensAt, closesAt }: Link, now: Date): string | null {
  if (status === "paused") return "link_paused";
  if (status !== "active") return "link_closed";
  if (isAfter(opensAt, now)) return "link_not_open_yet";
  return closesAt && !isAfter(closesAt, now) ? "link_closed" : null;
}

const isAfter = (timestamp: Timestamp | undefined, now: Date) =>
  timestamp !== undefined && timestampDate(timestamp) > now;

function reasonOfSurvey({ active, versionId, settingsJson }: Collection, link: Link, now: Date): string | null {
  if (versionId === "") return "not_published";
  if (!active) return "inactive";
  const { schedule, access } = readSettings(settingsJson);
  const [opensAt, closesAt] = [schedule.opensAt, schedule.closesAt].map((text) => parseInstant(text ?? ""));
  if (opensAt && now < opensAt) return "not_open_yet";
  if (closesAt && now >= closesAt) return "closed";
  return access.inviteOnly && link.linkId === "" ? "invite_only" : null;
}

/** Checks the use of the link and its response limit. The respondent who used the link can continue. */
async function availabilityByResponses(
  context: GatewayContext,
  request: LinkRequest,
  { workspaceId, distributorId, linkId, type, responseLimit }: Link,
): Promise<LinkAvailability> {
  const { code } = request.params;
  const { linkResponses } = context.clients;
  const options = rpcOptions(context, request);
  let goesOn = false;
  if (linkId !== "") {
    const sessionToken = respondentTokenOf(request);
    const asked = { workspaceId, linkIds: [linkId], sessionToken, code };
    const { uses } = await linkResponses.batchGetLinkUses(asked, options);
    const { usedAt = "", status, respondentId, isOwn = sessionToken !== "" } = uses[0] ?? {};
    goesOn = type === "personal_link" && status === "started" && respondentId !== "";
    if (usedAt !== "" && !isOwn && !goesOn) return { reason: "link_used", goesOn };
  }
  if (responseLimit === undefined) return { reason: null, goesOn };
  const asked = { distributors: [{ workspaceId, distributorId }] };
  const { results } = await linkResponses.batchGetDistributorResults(asked, options);
  const isFull = (results[0]?.completed ?? 0n) >= responseLimit;
  return isFull ? { reason: "link_limit", goesOn: false } : { reason: null, goesOn };
}
