import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import type { SubmissionResult, SubmissionSchema, SubmittedAnswers } from "@canvass/proto/response";
import type { Replay } from "@canvass/proto/rpc";
import { fromErrorDetail } from "@canvass/rpc";
import type { ServiceClients } from "../clients/service-clients.ts";
import { batchCallOptions, type BatchedRequest } from "./rpc-batcher.ts";
import { createRpcBatcher } from "./rpc-batcher.ts";

export interface AnswerSubmission
  extends BatchedRequest, Omit<MessageInitShape<typeof SubmissionSchema>, "$typeName" | "traceparent"> {
  /** Workspaces are served round robin. */
  workspaceId: string;
  bodyJson: string;
}

export interface Submitted {
  submitted: SubmittedAnswers;
  replay?: Replay;
}

const kibi = 1024;
const mebi = 1024 * kibi;
/** A few hundred usual pages. A heavier submission is sent alone, one at a time, so that others pass it. */
const maxWeight = 128 * kibi;
/** Maximum number of batches of late submissions in flight, at most one of each workspace. */
const maxLate = 8;
/** Limits the size of queued and in-flight bodies, which bounds memory while the service hangs. */
const maxHeld = 128 * mebi;

/**
 * Batches submissions, which the service stores in one commit. It leaves out late ones, which wait for a version or
 * exceed what a commit reads. They are sent again in batches of one workspace, so that they delay no other workspace.
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
        batchCallOptions(submissions, timeoutMs),
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
