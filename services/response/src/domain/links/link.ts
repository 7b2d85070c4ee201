import type { NotCollectingReason } from "@canvass/errors";
import type { Violation } from "@canvass/inputs";
import { notCollecting } from "../collecting.ts";
import type { SurveyRef } from "../survey-ref.ts";

export interface DistributorRef {
  workspaceId: string;
  distributorId: string;
}

export interface Link extends SurveyRef, DistributorRef {
  revision: string;
  found: boolean;
  /** Code of the link for everybody. Empty if each person has a personal link. */
  code: string;
  /** True while it is being deleted: it accepts no start. */
  isHeld: boolean;
  /** link, single_use_link, personal_link or embed. */
  type: string;
  /** draft, active, paused or closed. */
  status: string;
  opensAt: Date | null;
  closesAt: Date | null;
  /** Limit of completed respondents. Null: no limit. */
  responseLimit: number | null;
  hasPassword: boolean;
  /** IANA name of the workspace's zone. */
  timeZone: string;
}

export interface OpenedLink extends Link {
  /** Id of the link for one person, or empty. */
  linkId: string;
  /** Contact of a personal link, or empty. */
  contactId: string;
  language: string;
}

/** Returns the reason of `survey_not_collecting` (contract 7.5), or null if the link collects. */
export function closedReason({ found, status, opensAt, closesAt }: Link, now: Date): NotCollectingReason | null {
  if (!found) return "link_closed";
  if (status !== "active") return reasons[status] ?? "link_closed";
  if (opensAt && now < opensAt) return "link_not_open_yet";
  return closesAt && now >= closesAt ? "link_closed" : null;
}

const reasons: Record<string, NotCollectingReason> = {
  draft: "link_draft",
  paused: "link_paused",
  closed: "link_closed",
};

export function requireLinkCollecting(link: Link, now: Date): void {
  const reason = closedReason(link, now);
  if (reason) throw notCollecting(reason);
}

export function distributorViolations(link: Link, { surveyId }: SurveyRef, now: Date): Violation[] {
  const violation = (message: string) => [{ path: "distributorId", message }];
  if (!link.found || link.isHeld || link.surveyId !== surveyId) return violation("is not a distributor of this survey");
  const reason = closedReason(link, now);
  return reason ? violation(`does not collect (${reason})`) : [];
}
