import { validationFailed } from "@canvass/errors";
import { isLastReachable, missingRequired, tallyChange, type SurveySettings } from "@canvass/questions";
import { BatchChanges, entry, type AnswerRef } from "./batch-changes.ts";
import { checkAnswers, type AcceptedAnswer } from "./check-answers.ts";
import { claimsToBeFinal, needsAllAnswers } from "./needed-answers.ts";
import { answerValues } from "./progress.ts";
import type { PublishedVersion } from "./published-version.ts";
import { completionSlot, recordedTime } from "./recorded-time.ts";
import { keyOf, type RespondentState } from "./respondent-state.ts";
import type { SubmissionBody } from "./submission.ts";

export interface SubmissionContext {
  version: PublishedVersion;
  settings: SurveySettings;
  /** IANA name, of the workspace. */
  timeZone: string;
  now: Date;
  /** A fresh id that tells no more of its making than the given time. */
  newId: (at: Date) => string;
}

export interface AppliedSubmission {
  answers: { answerId: string; answerKey: string; submittedAt: Date }[];
  completedNow: boolean;
}

/**
 * Judges a submission and applies it, on a state that holds the answers it needs (needed-answers.ts): to the respondent's state in memory, so that the next submission of the same
 * batch sees it, and to what the batch will write. Throws `validation_failed` with every fault before it changes
 * anything.
 */
export function applySubmission(
  state: RespondentState,
  body: SubmissionBody,
  context: SubmissionContext,
  changes: BatchChanges,
): AppliedSubmission {
  const { accepted, faults } = checkAnswers(state, body, context.version.definition, context.settings);
  if (faults.length > 0) throw validationFailed(faults);

  const submittedAt = recordedTime(context.now, state.isAnonymous, context.timeZone);
  const answers = accepted.map((answer) => ({
    answerId: applyAnswer(state, answer, submittedAt, context, changes),
    answerKey: answer.answerKey,
    submittedAt,
  }));
  if (body.pageId) state.pageId = body.pageId;
  const completedNow = state.completedAt === null && isCompletedBy(body, state, context.version);
  if (completedNow) complete(state, context, changes);
  changes.respondents.set(keyOf(state), state);
  return { answers, completedNow };
}

/** Whether a submission that was applied is the last one: api-decisions 4, "A respondent completes when". */
function isCompletedBy(body: SubmissionBody, state: RespondentState, { definition }: PublishedVersion): boolean {
  if (!needsAllAnswers(body, definition)) return false;
  const values = answerValues(state.answers);
  if (!claimsToBeFinal(body) && !isLastReachable(definition, values, body.pageId ?? "")) return false;
  return missingRequired(definition, values).length === 0;
}

function applyAnswer(
  state: RespondentState,
  { answerKey, question, type, value, meta }: AcceptedAnswer,
  submittedAt: Date,
  context: SubmissionContext,
  changes: BatchChanges,
): string {
  const standing = state.answers.get(answerKey);
  const { elementId, questionId } = question;
  const gives = !type.isEmpty(value);
  const before = standing ? type.tally(question, standing.value) : null;
  const after = gives ? type.tally(question, value) : null;
  const hadAnswer = hasAnswered(state, elementId);
  const answerId = standing?.answerId ?? context.newId(submittedAt);
  const ref: AnswerRef = { workspace_id: state.workspaceId, respondent_id: state.respondentId, answer_key: answerKey };
  const rowKey = `${keyOf(state)} ${answerKey}`;

  if (gives) {
    state.answers.set(answerKey, { answerId, value });
    changes.withdrawn.delete(rowKey);
    changes.answers.set(rowKey, {
      ...ref,
      survey_id: state.surveyId,
      answer_id: answerId,
      element_id: elementId,
      question_id: questionId,
      type: question.type,
      value,
      meta: meta ?? null,
      number_value: after?.number ?? null,
      version_number: state.versionNumber,
      is_test: state.isTest,
      submitted_at: submittedAt.toISOString(),
    });
  } else {
    state.answers.delete(answerKey);
    changes.answers.delete(rowKey);
    if (standing) changes.withdrawn.set(rowKey, ref);
  }
  if (!state.isTest) {
    const respondents = Number(hasAnswered(state, elementId)) - Number(hadAnswer);
    count(state, questionId, Number(gives) - Number(standing !== undefined), respondents, before, after, changes);
  }
  return answerId;
}

/** Whether a question is answered, on a page that repeats in any repetition. */
function hasAnswered({ answers }: RespondentState, elementId: string): boolean {
  if (answers.has(elementId)) return true;
  for (const key of answers.keys()) if (key.startsWith(`${elementId}:`)) return true;
  return false;
}

function count(
  state: RespondentState,
  questionId: string,
  responses: number,
  respondents: number,
  before: Parameters<typeof tallyChange>[0],
  after: Parameters<typeof tallyChange>[1],
  changes: BatchChanges,
): void {
  const survey = { workspace_id: state.workspaceId, survey_id: state.surveyId };
  const questionKey = `${state.workspaceId} ${state.surveyId} ${questionId}`;
  const change = tallyChange(before, after);
  const question = entry(changes.questions, questionKey, () => ({
    ...survey,
    question_id: questionId,
    responses: 0,
    respondents: 0,
    sum: 0n,
  }));
  question.responses += responses;
  question.respondents += respondents;
  question.sum += change.sum;
  for (const [bucket, difference] of Object.entries(change.buckets)) {
    entry(changes.buckets, `${questionKey} ${bucket}`, () => ({
      ...survey,
      question_id: questionId,
      bucket,
      count: 0,
    })).count += difference;
  }
}

function complete(state: RespondentState, context: SubmissionContext, changes: BatchChanges): void {
  const { now, timeZone } = context;
  const recorded = recordedTime(now, state.isAnonymous, timeZone);
  const milliseconds = Math.max(0, now.getTime() - state.startedAt.getTime());
  state.completedAt = recorded;
  if (state.isAnonymous) state.startedAt = recordedTime(state.startedAt, true, timeZone);
  if (state.isTest) return;

  const survey = { workspace_id: state.workspaceId, survey_id: state.surveyId };
  const surveyKey = `${state.workspaceId} ${state.surveyId}`;
  const counts = entry(changes.surveys, surveyKey, () => ({ ...survey, completed: 0, completion_milliseconds: 0 }));
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
