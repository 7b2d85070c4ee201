import { AppError } from "@canvass/errors";
import type { SubmissionResult, SubmittedAnswers } from "@canvass/proto/response";
import type { Idempotency, Replay } from "@canvass/proto/rpc";
import { callOptions, fromErrorDetail } from "@canvass/rpc";
import type { ServiceClients } from "../clients/service-clients.ts";
import { firstTraced } from "./first-traced.ts";
import { requestIdsOf } from "./request-ids.ts";
import { createRpcBatcher } from "./rpc-batcher.ts";

export interface AnswerSubmission {
  /** Workspaces are served round robin. */
  workspaceId: string;
  /** The signed caller. Empty for a respondent of a link. */
  caller: string;
  surveyId: string;
  /** These three fields are set for a respondent of a link. */
  sessionToken?: string;
  code?: string;
  respondentId?: string;
  bodyJson: string;
  /** Set when the body is the score of this element. */
  npsElementId?: string;
  requestId: string;
  traceparent?: string | undefined;
  idempotency?: Idempotency;
}

export interface Submitted {
  submitted: SubmittedAnswers;
  replay?: Replay;
}

const kibi = 1024;
const mebi = 1024 * kibi;
/** A few hundred usual pages. A heavier submission is sent alone, one at a time, so that others pass it. */
const maxWeight = 128 * kibi;
/** Batches of late submissions in flight, one of each workspace. */
const maxLate = 8;
/** Limits the size of queued and in-flight bodies, which bounds memory while the service hangs. */
const maxHeld = 128 * mebi;

/**
 * Batches submissions, which the service stores in one commit. It returns late ones at once, which wait for a version
 * or exceed what a commit reads. They are sent again in batches of their workspace, so that they delay no other.
 */
export function answerSubmitter({ responses }: ServiceClients, requestTimeoutMs: number) {
  const options = (withoutLate: boolean) => ({
    deadlineMs: requestTimeoutMs,
    // UTF-16 code units approximate bytes well enough for this limit.
    weightOf: ({ bodyJson }: AnswerSubmission) => bodyJson.length,
    maxWeight,
    ownerOf: ({ workspaceId }: AnswerSubmission) => workspaceId,
    send: async (submissions: AnswerSubmission[], timeoutMs: number): Promise<SubmissionResult[]> => {
      const { results } = await responses.batchSubmitAnswers(
        { submissions, withoutLate },
        callOptions({ timeoutMs, requestId: requestIdsOf(submissions), traceparent: firstTraced(submissions) }),
      );
      return results;
    },
  });
  const submit = createRpcBatcher(options(true));
  const submitLate = createRpcBatcher({ ...options(false), oneOwnerPerBatch: true, maxInFlight: maxLate });
  let held = 0;
  return async (submission: AnswerSubmission): Promise<Submitted> => {
    const { length } = submission.bodyJson;
    if (held + length > maxHeld) throw new AppError("service_unavailable");
    held += length;
    try {
      const result = await submit(submission);
      return toSubmitted(result.leftOut ? await submitLate(submission) : result);
    } finally {
      held -= length;
    }
  };
}

function toSubmitted({ outcome, replay }: SubmissionResult): Submitted {
  if (outcome.case === "error") throw fromErrorDetail(outcome.value);
  if (outcome.case !== "submitted") throw new AppError("internal_error");
  return replay ? { submitted: outcome.value, replay } : { submitted: outcome.value };
}
