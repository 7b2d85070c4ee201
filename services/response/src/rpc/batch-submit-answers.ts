import { create, fromBinary } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { requireBatchSize } from "@canvass/inputs";
import {
  SubmissionResultSchema,
  SubmittedAnswersSchema,
  type BatchSubmitAnswersRequest,
  type BatchSubmitAnswersResponse,
  BatchSubmitAnswersResponseSchema,
  type Submission,
  type SubmissionResult,
} from "@canvass/proto/response";
import { idempotencyKey, replayMessage } from "@canvass/postgres/rpc";
import { toErrorDetail, type Call, type MacBody } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { asNpsRefusal } from "../domain/submissions/nps-submission.ts";
import { findSession } from "../application/links/session.ts";
import { findEarlierAnswers } from "../application/submissions/find-earlier-answers.ts";
import { openSubmission, type OpenSubmission } from "../application/submissions/open-submission.ts";
import { orOwnError } from "../application/submissions/or-app-error.ts";
import { isLate, storeInRounds } from "../application/submissions/store-in-rounds.ts";
import type { SubmissionOutcome } from "../application/submissions/store-submissions.ts";

/** Stores many submissions with one commit, or each alone if that fails (AIP-231). Each has its own result. */
export async function batchSubmitAnswers(
  context: ResponseContext,
  { submissions, withoutLate }: BatchSubmitAnswersRequest,
  { requestId, macBody, signal }: Call,
): Promise<BatchSubmitAnswersResponse> {
  requireBatchSize("submissions", submissions);
  const opened = await Promise.all(
    submissions.map((submission) => orOwnError(context, openSubmission(context, submission, macBody))),
  );
  const refused = submissions.filter((_, index) => opened[index] instanceof AppError);
  const earlier = await findEarlierAnswers(context, keyedOf(context, refused, macBody));
  const good = opened.filter((outcome): outcome is OpenSubmission => !(outcome instanceof AppError));
  const stored = await storeInRounds(context, good, { requestId, withoutLate, signal });
  const results = new Map(good.map((submission, index) => [submission, stored[index]!]));
  return create(BatchSubmitAnswersResponseSchema, {
    results: opened.map((outcome, index) => {
      const submission = submissions[index]!;
      if (!(outcome instanceof AppError)) return toResult(asSent(submission, results.get(outcome)!));
      const answered = earlier.get(submission) ?? outcome;
      return toResult(answered instanceof AppError ? asSent(submission, answered) : { replay: answered });
    }),
  });
}

function keyedOf(context: ResponseContext, submissions: readonly Submission[], macBody: MacBody) {
  return submissions.flatMap((submission) => {
    const workspaceId = submission.idempotency && workspaceOf(context, submission);
    return workspaceId
      ? [{ item: submission, key: idempotencyKey(macBody, workspaceId, submission.idempotency!) }]
      : [];
  });
}

function workspaceOf({ verifyCaller, cursors }: ResponseContext, submission: Submission): string | undefined {
  const { caller, code, sessionToken, respondentId } = submission;
  if (sessionToken === "") return verifyCaller(caller)?.workspaceId;
  const session = findSession(cursors, code, sessionToken);
  return session?.respondentId === respondentId ? session.workspaceId : undefined;
}

const asSent = ({ npsElementId }: Submission, outcome: SubmissionOutcome): SubmissionOutcome =>
  npsElementId !== "" && outcome instanceof AppError ? asNpsRefusal(outcome) : outcome;

function toResult(outcome: SubmissionOutcome): SubmissionResult {
  if (outcome instanceof AppError) {
    return create(SubmissionResultSchema, { outcome: { case: "error", value: toErrorDetail(outcome) } });
  }
  if (isLate(outcome)) return create(SubmissionResultSchema, { leftOut: true });
  if (outcome.replay) {
    const value = fromBinary(SubmittedAnswersSchema, outcome.replay.response);
    const replay = replayMessage(outcome.replay);
    return create(SubmissionResultSchema, { outcome: { case: "submitted", value }, replay });
  }
  return create(SubmissionResultSchema, { outcome: { case: "submitted", value: outcome.submitted } });
}
