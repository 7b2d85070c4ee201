import { validationFailed } from "@canvass/inputs";
import type { Quota, SurveySettings } from "@canvass/questions";
import { judgeQuotas, type CountQuota } from "../quotas/judge-quotas.ts";
import { countCompletion, countDistributor, countQuotas, countRequest } from "../results/counters.ts";
import { answerId } from "./answer-id.ts";
import type { BatchChanges } from "./batch-changes.ts";
import { checkAnswers, type AcceptedAnswer } from "./check-answers.ts";
import { changeAnswer } from "./change-answer.ts";
import { answersAfter, languageAfter } from "./known-answers.ts";
import { completes } from "./needed-answers.ts";
import { markPath } from "./mark-path.ts";
import { recordFileUse, type KnownFiles } from "./named-files.ts";
import type { PublishedVersion } from "../published-version.ts";
import { completionSlot, isRecordedDay, recordedTime } from "../respondents/recorded-time.ts";
import { isOpen, keyOf, type RespondentState } from "../respondents/respondent-state.ts";
import type { SubmissionBody } from "./submission.ts";
import { wordingFor, type InLanguage } from "./wording.ts";

export interface SubmissionContext {
  version: PublishedVersion;
  settings: SurveySettings;
  timeZone: string;
  now: Date;
  files: KnownFiles;
  /** Needed if the version has quotas. */
  countQuota?: CountQuota;
  /** Absent: refusals are in the survey's language. */
  inLanguage?: InLanguage;
  traceparent?: string;
}

export interface AppliedAnswer {
  answerId: string;
  answerKey: string;
  submittedAt: Date;
}

export interface AppliedSubmission {
  answers: AppliedAnswer[];
  completedNow: boolean;
  /** When the respondent was last seen before. */
  seenBefore: Date;
  /** The respondent matches a full quota, so it cannot complete. */
  fullQuota?: Quota;
}

/**
 * Validates a submission, then applies it to the state and the changes, which nothing else may use until the generator
 * ends. `state` must hold the needed answers (needed-answers.ts). Throws `validation_failed`, `quota_full` or what
 * `inLanguage` throws before it changes anything.
 */
export function* applySubmission(
  state: RespondentState,
  body: SubmissionBody,
  context: SubmissionContext,
  changes: BatchChanges,
): Generator<undefined, AppliedSubmission> {
  const wording = wordingFor(state, body, context.version, context.inLanguage);
  const { accepted, violations } = yield* checkAnswers(
    state,
    body,
    context.version.definition,
    context.settings,
    context.files,
    wording,
  );
  if (violations.length > 0) throw validationFailed(violations);

  const isSettled = state.completedAt !== null;
  const after = answersAfter(state, accepted, body);
  const isLast = !isSettled && completes(body, after, context.version.definition);
  const { left, entered, full } = judgeQuotas(
    state,
    { after, completes: isLast, visit: body.pageId },
    { definition: context.version.definition, countQuota: context.countQuota ?? noCounts, wording },
    changes,
  );
  const submittedAt = recordedTime(context.now, state.isAnonymous, context.timeZone);
  const answers: AppliedAnswer[] = [];
  for (const answer of accepted) {
    yield;
    if (answer.isChange) applyAnswer(state, answer, submittedAt, context, changes);
    state.answerWeight += answer.addedWeight;
    answers.push(appliedAnswer(state, answer, submittedAt, context));
  }
  const { lastSeenAt: seenBefore } = state;
  if (isSettled && !accepted.some(({ isChange }) => isChange)) return { answers, completedNow: false, seenBefore };

  if (body.pageId) state.pageId = body.pageId;
  state.language = languageAfter(state, body);
  const completedNow = isLast && !full;
  if (completedNow) completeRespondent(state, context, changes);
  if (full?.onFull === "end") state.isScreenedOut = true;
  countQuotas(state, left, -1, changes);
  countQuotas(state, entered, 1, changes);
  if (state.completedAt !== null) yield* markPath(state, context.version.definition, changes);
  if (!isSettled) countRequest(state, context.now, changes);
  noteRequest(state, context);
  changes.respondents.set(keyOf(state), state);
  return { answers, completedNow, seenBefore, ...(full && { fullQuota: full }) };
}

const noCounts: CountQuota = () => 0;

function appliedAnswer(
  { respondentId, answers }: RespondentState,
  { answerKey }: AcceptedAnswer,
  submittedAt: Date,
  { version }: SubmissionContext,
): AppliedAnswer {
  return {
    answerId: answerId(respondentId, version.definition, answerKey),
    answerKey,
    submittedAt: answers.get(answerKey)?.submittedAt ?? submittedAt,
  };
}

function applyAnswer(
  state: RespondentState,
  { answerKey, question, type, value, meta: given }: AcceptedAnswer,
  submittedAt: Date,
  { version, files, now: at, timeZone }: SubmissionContext,
  changes: BatchChanges,
): void {
  const current = state.answers.get(answerKey);
  recordFileUse(state, type, { before: current?.value, after: value, at, timeZone }, files, changes);
  const { offPath = false } = current ?? {};
  const answer = { value, meta: given ?? null, submittedAt, ...(offPath && { offPath }) };
  const after = type.isEmpty(value) ? null : answer;
  changeAnswer(state, answerKey, { question, type }, after, version.definition, changes);
}

function completeRespondent(
  state: RespondentState,
  { now, timeZone, traceparent }: SubmissionContext,
  changes: BatchChanges,
): void {
  const recorded = recordedTime(now, state.isAnonymous, timeZone);
  const milliseconds = timeTaken(state, now, recorded);
  state.completedAt = recorded;
  if (state.isAnonymous && !isRecordedDay(state.startedAt)) {
    state.startedAt = recordedTime(state.startedAt, true, timeZone);
  }
  if (state.isTest) return;

  countDistributor(state, { completed: 1 }, changes);
  countCompletion(state, completionSlot(now, state.isAnonymous, timeZone), { completions: 1, milliseconds }, changes);
  changes.completions.push({ respondent: state, at: now, traceparent });
}

/** Returns milliseconds: whole days if the exact start was purged. */
function timeTaken({ isAnonymous, exactStartedAt, startedAt }: RespondentState, now: Date, recorded: Date): number {
  const isPurged = isAnonymous && !exactStartedAt && isRecordedDay(startedAt);
  const [from, to] = isPurged ? [startedAt, recorded] : [exactStartedAt ?? startedAt, now];
  return Math.max(0, to.getTime() - from.getTime());
}

/** Under full anonymity exact times are stored only until the respondent completes or is screened out. */
function noteRequest(state: RespondentState, { now, timeZone }: SubmissionContext): void {
  state.lastSeenAt = recordedTime(now, state.isAnonymous, timeZone);
  state.exactSeenAt = state.isAnonymous && isOpen(state) ? now : null;
  if (!isOpen(state)) state.exactStartedAt = null;
}
