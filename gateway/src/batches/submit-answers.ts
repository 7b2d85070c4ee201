import { AppError } from "@canvass/errors";
import type { SubmissionResult, SubmittedAnswers } from "@canvass/proto/response";
import type { Idempotency, Replay } from "@canvass/proto/rpc";
import { callOptions, fromErrorDetail } from "@canvass/rpc";
import type { Services } from "../services.ts";
import { requestIdsOf } from "./request-ids.ts";
import { createTimedBatcher } from "./timed-batcher.ts";

/** One caller's answers. */
export interface AnswerSubmission {
  /** Signed. */
  caller: string;
  surveyId: string;
  /** The HTTP body as it came, a JSON object. */
  bodyJson: string;
  requestId: string;
  idempotency?: Idempotency;
}

export interface Submitted {
  submitted: SubmittedAnswers;
  /** Set when the answer was given before. */
  replay?: Replay;
}

const mebi = 1024 * 1024;
const maxBatchBytes = 8 * mebi;
/** Of bodies that wait or are under way: a service that hangs must not fill this process's memory. */
const maxHeld = 128 * mebi;

/** Hands in answers, those of one turn in one call, which the service stores with one commit. Throws AppError. */
export function answerSubmitter({ responses }: Services, requestTimeoutMs: number) {
  const ask = createTimedBatcher<AnswerSubmission, SubmissionResult>({
    requestTimeoutMs,
    maxSize: 500,
    maxInFlight: 2,
    // In UTF-16 units, which is near enough to bytes for a bound this far below the largest message.
    weigh: ({ bodyJson }) => bodyJson.length,
    maxWeight: maxBatchBytes,
    send: async (submissions, timeoutMs) => {
      const { results } = await responses.batchSubmitAnswers(
        { submissions },
        callOptions({ timeoutMs, requestId: requestIdsOf(submissions) }),
      );
      return results;
    },
  });
  let held = 0;
  return async (submission: AnswerSubmission): Promise<Submitted> => {
    const { length } = submission.bodyJson;
    if (held + length > maxHeld) throw new AppError("service_unavailable");
    held += length;
    try {
      return toSubmitted(await ask(submission));
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
