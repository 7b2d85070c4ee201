import { entry, surveyCounts, type BatchChanges } from "./batch-changes.ts";
import { completionSlot, recordedTime } from "./recorded-time.ts";
import type { RespondentState } from "./respondent-state.ts";

/** Lets a respondent complete: in its state, the running results, and what others learn. Tests count nowhere. */
export function completeRespondent(
  state: RespondentState,
  context: { now: Date; timeZone: string; newId: (at: Date) => string },
  changes: BatchChanges,
): void {
  const { now, timeZone } = context;
  const recorded = recordedTime(now, state.isAnonymous, timeZone);
  const milliseconds = Math.max(0, now.getTime() - state.startedAt.getTime());
  state.completedAt = recorded;
  if (state.isAnonymous) state.startedAt = recordedTime(state.startedAt, true, timeZone);
  if (state.isTest) return;

  const survey = { workspace_id: state.workspaceId, survey_id: state.surveyId };
  const surveyKey = `${state.workspaceId} ${state.surveyId}`;
  const counts = surveyCounts(changes, state);
  counts.completed += 1;
  counts.completion_milliseconds += milliseconds;
  const startsAt = completionSlot(now, state.isAnonymous, timeZone).toISOString();
  entry(changes.slots, `${surveyKey} ${startsAt}`, () => ({
    ...survey,
    starts_at: startsAt,
    completions: 0,
  })).completions += 1;
  changes.completions.push({
    eventId: context.newId(recorded),
    workspaceId: state.workspaceId,
    surveyId: state.surveyId,
    respondentId: state.respondentId,
    occurredAt: now,
    recordedAt: recorded,
    isAnonymous: state.isAnonymous,
  });
}
