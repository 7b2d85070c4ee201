import type { BatchChanges } from "../submissions/batch-changes.ts";
import { countCompletion, countDistributor } from "../results/counters.ts";
import { completionSlot, isRecordedDay, recordedTime } from "./recorded-time.ts";
import type { RespondentState } from "./respondent-state.ts";

export function completeRespondent(
  state: RespondentState,
  context: { now: Date; timeZone: string; newId: (at: Date) => string; traceparent?: string },
  changes: BatchChanges,
): void {
  const { now, timeZone } = context;
  const recorded = recordedTime(now, state.isAnonymous, timeZone);
  const milliseconds = timeTaken(state, now, recorded);
  state.completedAt = recorded;
  if (state.isAnonymous && !isRecordedDay(state.startedAt)) {
    state.startedAt = recordedTime(state.startedAt, true, timeZone);
  }
  if (state.isTest) return;

  countDistributor(state, { completed: 1 }, changes);
  countCompletion(state, completionSlot(now, state.isAnonymous, timeZone), { completions: 1, milliseconds }, changes);
  changes.completions.push({
    eventId: context.newId(recorded),
    workspaceId: state.workspaceId,
    surveyId: state.surveyId,
    respondentId: state.respondentId,
    occurredAt: now,
    recordedAt: recorded,
    isAnonymous: state.isAnonymous,
    traceparent: context.traceparent,
  });
}

/** Returns milliseconds: whole days if the exact start was purged. */
function timeTaken({ isAnonymous, exactStartedAt, startedAt }: RespondentState, now: Date, recorded: Date): number {
  const isPurged = isAnonymous && !exactStartedAt && isRecordedDay(startedAt);
  const [from, to] = isPurged ? [startedAt, recorded] : [exactStartedAt ?? startedAt, now];
  return Math.max(0, to.getTime() - from.getTime());
}
