import { AppError } from "@canvass/errors";
import { mostBatchItems } from "@canvass/inputs";
import type { SubmissionResult, SubmittedAnswers } from "@canvass/proto/response";
import type { Idempotency, Replay } from "@canvass/proto/rpc";
import { batchByKey, callOptions, fromErrorDetail } from "@canvass/rpc";
import type { ServiceClients } from "../clients/service-clients.ts";
import { firstTraced } from "./first-traced.ts";
import { requestIdsOf } from "./request-ids.ts";
import { restBetween } from "./rest-between.ts";
import { createTimedBatcher } from "./timed-batcher.ts";

export interface AnswerSubmission {
  /** Workspaces take turns (round robin). */
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
/** More than the answers of a usual page. Heavier submissions have their own queue, one small batch at a time. */
const heavyBytes = 16 * kibi;
const lightQueue = { maxInFlight: 2, maxWeight: 8 * mebi };
const heavyQueue = { maxInFlight: 1, maxWeight: 128 * kibi };
/** Limits the size of queued and in-flight bodies, which bounds memory while the service hangs. */
const maxHeld = 128 * mebi;

/** Batches the submissions of one event loop turn, which the service stores in one commit. */
export function answerSubmitter({ responses }: ServiceClients, requestTimeoutMs: number) {
  const send =
    (withoutLate: boolean) =>
    async (submissions: AnswerSubmission[], timeoutMs: number): Promise<SubmissionResult[]> => {
      const { results } = await responses.batchSubmitAnswers(
        { submissions, withoutLate },
        callOptions({ timeoutMs, requestId: requestIdsOf(submissions), traceparent: firstTraced(submissions) }),
      );
      return results;
    };
  const common = {
    requestTimeoutMs,
    maxSize: mostBatchItems,
    // UTF-16 code units approximate bytes well enough for this limit.
    weigh: ({ bodyJson }: AnswerSubmission) => bodyJson.length,
    ownerOf: ({ workspaceId }: AnswerSubmission) => workspaceId,
  };
  const askLight = createTimedBatcher({ ...common, ...lightQueue, send: send(true) });
  const askHeavy = createTimedBatcher({ ...common, ...heavyQueue, send: restBetween(send(true)) });
  const createLateBatcher = () => createTimedBatcher({ ...common, ...lightQueue, send: send(false) });
  const askLeftOut = batchByKey(({ surveyId, code }: AnswerSubmission) => code ?? surveyId, createLateBatcher);
  let held = 0;
  return async (submission: AnswerSubmission): Promise<Submitted> => {
    const { length } = submission.bodyJson;
    if (held + length > maxHeld) throw new AppError("service_unavailable");
    held += length;
    try {
      const result = await (length > heavyBytes ? askHeavy : askLight)(submission);
      return toSubmitted(result.leftOut ? await askLeftOut(submission) : result);
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
