import { ownAnswers, mayBeLast, furtherAnswers } from "../../domain/submissions/needed-answers.ts";
import { lockRespondents, type LockedRespondents } from "../../storage/respondents/lock-respondents.ts";
import { isId } from "@canvass/values";
import { fileIdsIn, type SurveyDefinition } from "@canvass/questions";
import type { FileRef, UploadedFile } from "../../domain/files/uploaded-file.ts";
import { lockFiles } from "../../storage/files/answered-files.ts";
import { quotaKey } from "../../domain/quotas/count-quotas.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { findQuotaCounts, lockQuotas } from "../../storage/results/quota-counts.ts";
import { quotaCounter } from "../quotas/full-quota.ts";
import { AppError } from "@canvass/errors";
import type { Sql } from "@canvass/postgres";
import type { CountQuota } from "../../domain/quotas/judge-quotas.ts";
import { keyOf, type RespondentState } from "../../domain/respondents/respondent-state.ts";
import { addAnswers, eachOnce, findWanted, type WantedRespondent } from "../../storage/answers/current-answers.ts";
import type { VersionOf } from "./batch-versions.ts";
import { refOf, type OpenSubmission } from "./open-submission.ts";

/** Locked respondents, by `keyOf`. Missing ones are left out. */
export interface LockedStates {
  states: ReadonlyMap<string, RespondentState>;
  /** Respondents that were not read: their submissions need a later commit. */
  unread: ReadonlyMap<string, RespondentState>;
  revisions: LockedRespondents["revisions"];
}

/** Locks the respondents and reads the answers that need no version (`readFurtherAnswers` reads the others). */
export async function lockStates(sql: Sql, submissions: readonly OpenSubmission[]): Promise<LockedStates> {
  const wanted = submissions.map((submission) => ({ ...refOf(submission), answerKeys: ownAnswers(submission.body) }));
  const { states, unread, revisions } = await lockRespondents(sql, wanted);
  return { states: byKey(states), unread: byKey(unread), revisions };
}

const byKey = (states: RespondentState[]) => new Map(states.map((state) => [keyOf(state), state]));

export type NamedFiles = (workspaceId: string) => (fileId: string) => UploadedFile | undefined;

/** Locks the files that submissions name or release. Call after locking the respondents, to avoid deadlocks. */
export async function lockNamedFiles(
  sql: Sql,
  submissions: readonly OpenSubmission[],
  states: ReadonlyMap<string, RespondentState>,
): Promise<NamedFiles> {
  const refs = submissions.flatMap((submission) => filesOf(submission, states));
  const locked = refs.length > 0 ? await lockFiles(sql, refs) : [];
  const files = new Map(locked.map((file) => [`${file.workspaceId} ${file.fileId}`, file]));
  return (workspaceId) => (fileId) => files.get(`${workspaceId} ${fileId}`);
}

function filesOf(submission: OpenSubmission, states: ReadonlyMap<string, RespondentState>): FileRef[] {
  const { workspaceId, body } = submission;
  const answers = states.get(keyOf(refOf(submission)))?.answers;
  return body.responses.flatMap((response) => {
    if (!response) return [];
    const ids = [...fileIdsIn(response.value), ...fileIdsIn(answers?.get(response.elementId)?.value)];
    return ids.filter(isId).map((fileId) => ({ workspaceId, fileId }));
  });
}

/**
 * Reads how full the quotas of a batch's surveys are. Locks those in which a respondent may complete, or has, until the
 * transaction ends, so that they hold exactly. Runs no statement without quotas.
 */
export async function readBatchQuotas(
  sql: Sql,
  submissions: readonly OpenSubmission[],
  { states }: LockedStates,
  versionOf: VersionOf,
): Promise<CountQuota> {
  const surveys = new Map<string, SurveyRef>();
  const locked = new Map<string, SurveyRef>();
  for (const submission of submissions) {
    const { workspaceId, surveyId, startsOn, body } = submission;
    const state = states.get(keyOf(refOf(submission)));
    const answered = startsOn ? { workspaceId, surveyId, versionId: startsOn.versionId } : state;
    const version = answered && versionOf(answered);
    if (!version || version instanceof AppError || !version.definition.quotas) continue;
    const key = quotaKey(answered, "");
    surveys.set(key, answered);
    if (state?.completedAt || mayBeLast(body, version.definition)) locked.set(key, answered);
  }
  if (surveys.size === 0) return () => 0;
  await lockQuotas(sql, [...locked.values()]);
  return quotaCounter(await findQuotaCounts(sql, [...surveys.values()]));
}

/** Adds to locked respondents the answers that validation needs by their versions. */
export async function readFurtherAnswers(
  sql: Sql,
  submissions: readonly OpenSubmission[],
  { states }: LockedStates,
  { versionOf, countQuota }: { versionOf: VersionOf; countQuota: CountQuota },
): Promise<void> {
  // Other submissions of the batch may complete first.
  const mayFill = (state: RespondentState, { quotas = [] }: SurveyDefinition) =>
    quotas.some(({ quotaId, limit }) => countQuota(state, quotaId) + submissions.length > limit);
  const wanted = submissions.flatMap((submission): WantedRespondent[] => {
    const ref = refOf(submission);
    const state = states.get(keyOf(ref));
    const version = state && versionOf(state);
    if (!version || version instanceof AppError) return [];
    const { definition } = version;
    const answerKeys = furtherAnswers(submission.body, state, definition, mayFill(state, definition));
    return [{ ...ref, answerKeys }];
  });
  addAnswers(states, await findWanted(sql, eachOnce(wanted)));
}
