import { entry, type BatchChanges } from "../submissions/batch-changes.ts";
import { recordedTime } from "../respondents/recorded-time.ts";
import { isOpen, type RespondentState } from "../respondents/respondent-state.ts";

const slotMs = 15_000;
const activeMs = 5 * 60_000;
/** Longer than a respondent counts as active, so that no slot is deleted while it is read. */
export const activityKeptMs = 10 * 60_000;

export function oldestActiveSlot(now: Date): Date {
  return slotOf(new Date(now.getTime() - activeMs));
}

export function countRequest(state: RespondentState, now: Date, changes: BatchChanges): void {
  if (state.isTest) return;
  leaveSlot(state, now, changes);
  if (isOpen(state)) countIn(changes, state.workspaceId, now, 1);
}

/** Under full anonymity exact times are stored only until the respondent completes or is screened out. */
export function noteRequest(state: RespondentState, { now, timeZone }: { now: Date; timeZone: string }): void {
  state.lastSeenAt = recordedTime(now, state.isAnonymous, timeZone);
  state.exactSeenAt = state.isAnonymous && isOpen(state) ? now : null;
  if (!isOpen(state)) state.exactStartedAt = null;
}

/** Ignores slots that are too old to be read. */
export function leaveSlot(
  { workspaceId, lastSeenAt, exactSeenAt }: Pick<RespondentState, "workspaceId" | "lastSeenAt" | "exactSeenAt">,
  now: Date,
  changes: BatchChanges,
): void {
  const seenAt = exactSeenAt ?? lastSeenAt;
  if (seenAt.getTime() > now.getTime() - activityKeptMs) countIn(changes, workspaceId, seenAt, -1);
}

export function countIn({ activity }: BatchChanges, workspaceId: string, at: Date, difference: number): void {
  const starts_at = slotOf(at).toISOString();
  entry(activity, `${workspaceId} ${starts_at}`, () => ({
    workspace_id: workspaceId,
    starts_at,
    respondents: 0,
  })).respondents += difference;
}

function slotOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / slotMs) * slotMs);
}
