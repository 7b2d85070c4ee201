import type { Violation } from "@canvass/inputs";
import { notCollecting } from "../collecting.ts";
import type { SurveyRef } from "../survey-ref.ts";

export interface DistributorRef {
  workspaceId: string;
  distributorId: string;
}

/** How the links of a distributor collect, in the last state received from the distribution service. */
export interface Link extends SurveyRef, DistributorRef {
  /** Grows with every change. "0" if the owner does not push changes. */
  revision: string;
  found: boolean;
  /** Of the link for everybody. Empty if each person has a link of their own. */
  code: string;
  /** It is being deleted, so nobody may start by it. */
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
  /** IANA name, of the workspace. */
  timeZone: string;
}

export interface OpenedLink extends Link {
  /** Of a link for one person, else empty. */
  linkId: string;
  /** Of a personal link, else empty. */
  contactId: string;
  /** Of the contact. Empty if unknown. */
  language: string;
}

/** Returns the reason of `survey_not_collecting` for a link at a time (contract 7.5). Null if it collects. */
export function closedReason({ found, status, opensAt, closesAt }: Link, now: Date): string | null {
  if (!found) return "link_closed";
  if (status !== "active") return reasons[status] ?? "link_closed";
  if (opensAt && now < opensAt) return "link_not_open_yet";
  return closesAt && now >= closesAt ? "link_closed" : null;
}

const reasons: Record<string, string> = { draft: "link_draft", paused: "link_paused", closed: "link_closed" };

/** Throws `survey_not_collecting` with the link's reason. */
export function requireLinkCollecting(link: Link, now: Date): void {
  const reason = closedReason(link, now);
  if (reason) throw notCollecting(reason);
}

/** Returns why a caller cannot start a respondent of a survey with this distributor. Empty if it can. */
export function distributorViolations(link: Link, { surveyId }: SurveyRef, now: Date): Violation[] {
  const violation = (message: string) => [{ path: "distributorId", message }];
  if (!link.found || link.isHeld || link.surveyId !== surveyId) return violation("is not a distributor of this survey");
  const reason = closedReason(link, now);
  return reason ? violation(`does not collect (${reason})`) : [];
}
