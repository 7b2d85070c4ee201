import { dayIn, startOfDay } from "@canvass/values";
import { countActivity, countDistributor, surveyCounts } from "./counters.ts";
import { getOrInsert, type BatchChanges } from "../submissions/batch-changes.ts";
import { keyOf, type NewRespondent } from "../respondents/respondent-state.ts";

/** Longer than the longest day, 25 hours, so that no day is deleted while it is read. */
export const startsKeptMs = 2 * 86_400_000;

/** Adds a new respondent and counts its start. */
export function addStart(
  respondent: NewRespondent,
  { timeZone, at }: { timeZone: string; at: Date },
  changes: BatchChanges,
): void {
  changes.starts.set(keyOf(respondent), respondent);
  if (respondent.isTest) return;
  surveyCounts(changes, respondent).started += 1;
  countDistributor(respondent, { started: 1 }, changes);
  countStartDay(changes, respondent, startOfDay(timeZone, dayIn(timeZone, at)), 1);
  countActivity(changes, respondent.workspaceId, at, 1);
}

/** Counts a start in its day for live activity, and in no other counter. */
export function countStartDay(
  { startDays }: BatchChanges,
  { workspaceId, country }: Pick<NewRespondent, "workspaceId" | "country">,
  dayStartsAt: Date,
  difference: number,
): void {
  const starts_at = dayStartsAt.toISOString();
  getOrInsert(startDays, `${workspaceId} ${starts_at} ${country}`, () => ({
    workspace_id: workspaceId,
    starts_at,
    country,
    started: 0,
  })).started += difference;
}
