import { AppError, type NotCollectingReason } from "@canvass/errors";
import type { SurveySettings } from "@canvass/questions";
import { parseInstant } from "@canvass/values";
import type { RespondentState } from "./respondents/respondent-state.ts";

export interface CollectingState {
  /** Grows with every change of the survey. "0" if the survey service does not push changes. */
  revision: string;
  found: boolean;
  active: boolean;
  /** Empty if never published. */
  versionId: string;
  versionNumber: number;
  settings: SurveySettings;
  hasPassword: boolean;
  /** Temporarily refuses answers, so that the owner can change what answers fix. */
  isHeld: boolean;
}

export function requireCollecting({ found, active, versionId, settings }: CollectingState, now: Date): void {
  if (!found) throw new AppError("survey_not_found");
  if (versionId === "") throw notCollecting("not_published");
  if (!active) throw notCollecting("inactive");
  const opensAt = parseInstant(settings.schedule.opensAt ?? "");
  const closesAt = parseInstant(settings.schedule.closesAt ?? "");
  if (opensAt && now < opensAt) throw notCollecting("not_open_yet");
  if (closesAt && now >= closesAt) throw notCollecting("closed");
}

/** Refuses respondents that started under weaker privacy: their stored times or contact would identify them. */
export function requirePromisedPrivacy(respondent: KeptOfPerson, { privacy }: SurveySettings): void {
  if (!isPromiseBroken(respondent, privacy)) return;
  const message = "This respondent started while the survey promised less privacy.";
  throw new AppError("survey_not_collecting", { reason: "privacy_changed" }, message);
}

type KeptOfPerson = Pick<RespondentState, "isAnonymous" | "hasContact">;

export function isPromiseBroken(
  { isAnonymous, hasContact }: KeptOfPerson,
  { anonymity }: SurveySettings["privacy"],
): boolean {
  return anonymity === "full" ? !isAnonymous : anonymity === "partial" && hasContact;
}

export function notCollecting(reason: NotCollectingReason): AppError {
  return new AppError("survey_not_collecting", { reason });
}
