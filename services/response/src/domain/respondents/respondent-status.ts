import type { respondentStatuses } from "@canvass/inputs";
import type { RespondentState } from "./respondent-state.ts";

export type RespondentStatus = (typeof respondentStatuses)[number];
export type Ending = Pick<RespondentState, "completedAt" | "isScreenedOut">;

export function respondentStatus({ completedAt, isScreenedOut = false }: Ending): RespondentStatus {
  if (completedAt) return "completed";
  return isScreenedOut ? "screened_out" : "started";
}

/** Whether the respondent may still complete. */
export function isOpen(respondent: Ending): boolean {
  return respondentStatus(respondent) === "started";
}
