import { tallyChange, type Quota } from "@canvass/questions";
import { getOrInsert, type BatchChanges, type SurveyCounts } from "../submissions/batch-changes.ts";
import { quarterHour } from "../respondents/recorded-time.ts";
import { isOpen, type RespondentState } from "../respondents/respondent-state.ts";
import type { SurveyRef } from "../survey-ref.ts";

const slotMs = 15_000;
const activeMs = 5 * 60_000;
/** Longer than a respondent counts as active, so that no slot is deleted while it is read. */
export const activityKeptMs = 10 * 60_000;

type Tally = Parameters<typeof tallyChange>[0];

export interface CountedQuestion {
  questionId: string;
  offPath: boolean;
}

/** `difference` is the change in answers and respondents. A tally is null if there is no answer. */
export function countAnswer(
  { workspaceId, surveyId }: Pick<RespondentState, "workspaceId" | "surveyId">,
  { questionId, offPath }: CountedQuestion,
  difference: { responses: number; respondents: number },
  { before, after }: { before: Tally; after: Tally },
  changes: BatchChanges,
): void {
  const counted = { workspace_id: workspaceId, survey_id: surveyId, question_id: questionId, off_path: offPath };
  const questionKey = `${workspaceId} ${surveyId} ${questionId} ${offPath}`;
  const change = tallyChange(before, after);
  const question = getOrInsert(changes.questions, questionKey, () => ({
    ...counted,
    responses: 0,
    respondents: 0,
    sum: 0n,
  }));
  question.responses += difference.responses;
  question.respondents += difference.respondents;
  question.sum += change.sum;
  for (const [bucket, count] of Object.entries(change.buckets)) {
    getOrInsert(changes.buckets, `${questionKey} ${bucket}`, () => ({ ...counted, bucket, count: 0 })).count += count;
  }
  const countNumber = (number: number | undefined, difference: number) => {
    if (number === undefined) return;
    getOrInsert(changes.numbers, `${questionKey} ${number}`, () => ({ ...counted, number, count: 0 })).count +=
      difference;
  };
  countNumber(before?.number, -1);
  countNumber(after?.number, 1);
}

type Came = Pick<RespondentState, "workspaceId" | "surveyId" | "distributorId">;

export function countDistributor(
  { workspaceId, surveyId, distributorId }: Came,
  { started = 0, completed = 0 }: { started?: number; completed?: number },
  { distributors }: BatchChanges,
): void {
  if (distributorId === "") return;
  const counts = getOrInsert(distributors, `${workspaceId} ${distributorId} ${surveyId}`, () => ({
    workspace_id: workspaceId,
    survey_id: surveyId,
    distributor_id: distributorId,
    started: 0,
    completed: 0,
  }));
  counts.started += started;
  counts.completed += completed;
}

export function countCompletion(
  { workspaceId, surveyId }: SurveyRef,
  at: Date,
  { completions, milliseconds }: { completions: number; milliseconds: number },
  changes: BatchChanges,
): void {
  const counts = surveyCounts(changes, { workspaceId, surveyId });
  counts.completed += completions;
  counts.completion_milliseconds += milliseconds;
  const starts_at = quarterHour(at).toISOString();
  getOrInsert(changes.slots, `${workspaceId} ${surveyId} ${starts_at}`, () => ({
    workspace_id: workspaceId,
    survey_id: surveyId,
    starts_at,
    completions: 0,
  })).completions += completions;
}

export function surveyCounts({ surveys }: BatchChanges, survey: SurveyRef): SurveyCounts {
  return getOrInsert(surveys, `${survey.workspaceId} ${survey.surveyId}`, () => ({
    workspace_id: survey.workspaceId,
    survey_id: survey.surveyId,
    started: 0,
    completed: 0,
    completion_milliseconds: 0,
    test_answers: 0,
  }));
}

export function quotaKey({ workspaceId, surveyId }: SurveyRef, quotaId: string): string {
  return `${workspaceId} ${surveyId} ${quotaId}`;
}

/** Counts a completed respondent in quotas, or with -1 no longer. */
export function countQuotas(
  survey: SurveyRef,
  quotas: readonly Quota[],
  difference: 1 | -1,
  changes: BatchChanges,
): void {
  for (const { quotaId } of quotas) {
    getOrInsert(changes.quotas, quotaKey(survey, quotaId), () => ({
      workspace_id: survey.workspaceId,
      survey_id: survey.surveyId,
      quota_id: quotaId,
      completed: 0,
    })).completed += difference;
  }
}

export function oldestActiveSlot(now: Date): Date {
  return slotOf(new Date(now.getTime() - activeMs));
}

export function countRequest(state: RespondentState, now: Date, changes: BatchChanges): void {
  if (state.isTest) return;
  leaveSlot(state, now, changes);
  if (isOpen(state)) countActivity(changes, state.workspaceId, now, 1);
}

/** Uncounts a respondent in the slot of its last request, unless that is too old to be read. */
export function leaveSlot(
  state: Pick<RespondentState, "workspaceId" | "isAnonymous" | "lastSeenAt" | "exactSeenAt">,
  now: Date,
  changes: BatchChanges,
): void {
  const { workspaceId, isAnonymous, lastSeenAt, exactSeenAt } = state;
  // Without its exact time an anonymous one counts in no slot: it was imported, or its time was purged.
  if (isAnonymous && !exactSeenAt) return;
  const seenAt = exactSeenAt ?? lastSeenAt;
  if (seenAt.getTime() > now.getTime() - activityKeptMs) countActivity(changes, workspaceId, seenAt, -1);
}

export function countActivity({ activity }: BatchChanges, workspaceId: string, at: Date, difference: number): void {
  const starts_at = slotOf(at).toISOString();
  getOrInsert(activity, `${workspaceId} ${starts_at}`, () => ({
    workspace_id: workspaceId,
    starts_at,
    respondents: 0,
  })).respondents += difference;
}

function slotOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / slotMs) * slotMs);
}
