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
import type { IdempotencyKey } from "@canvass/postgres";
import { idempotencyKey, replayMessage } from "@canvass/postgres/rpc";
import { toErrorDetail, type Call, type MacBody } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { asNpsRefusal } from "../domain/submissions/nps-submission.ts";
import { findSession } from "../application/links/session.ts";
import { openSubmission } from "../application/submissions/open-submission.ts";
import { isLate, orOwnError, storeOpened } from "../application/submissions/store-in-rounds.ts";
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
  const items = opened.map((outcome, index) => {
    const key = outcome instanceof AppError ? keyOf(context, submissions[index]!, macBody) : undefined;
    return { opened: outcome, key };
  });
  const outcomes = await storeOpened(context, items, { requestId, withoutLate, signal });
  return create(BatchSubmitAnswersResponseSchema, {
    results: outcomes.map((outcome, index) => toResult(asSent(submissions[index]!, outcome))),
  });
}

/** Undefined without a key, or if the caller or the session is not valid. */
function keyOf(context: ResponseContext, submission: Submission, macBody: MacBody): IdempotencyKey | undefined {
  const workspaceId = submission.idempotency && workspaceOf(context, submission);
  return workspaceId ? idempotencyKey(macBody, workspaceId, submission.idempotency!) : undefined;
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
