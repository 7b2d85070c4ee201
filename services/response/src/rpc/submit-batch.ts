import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { readObject, refuseViolations, shapeViolations } from "@canvass/inputs";
import { inTransaction } from "@canvass/postgres";
import { answerTime, findReplay, idempotently } from "@canvass/postgres/rpc";
import {
  SubmitBatchResponseSchema,
  type BatchedSubmissionSchema,
  type SubmitBatchRequest,
  type SubmitBatchResponse,
} from "@canvass/proto/response";
import { batchBody } from "@canvass/questions";
import { toErrorDetail, type Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import type { Batch } from "../application/submissions/open-batch.ts";
import { storeBatch, type ItemResult } from "../application/submissions/store-batch.ts";

/**
 * Stores a batch (contract 7.13). The commit that stores a submission also records its result, so that a retry stores
 * none twice.
 */
export async function submitBatch(
  context: ResponseContext,
  { surveyId, bodyJson }: SubmitBatchRequest,
  call: Call,
): Promise<SubmitBatchResponse> {
  const replay = await findReplay(context.database.sql, call, SubmitBatchResponseSchema, context.now());
  if (replay) return replay;
  const inputs = readInputs(bodyJson);
  const { workspaceId } = call.caller;
  const ref = { workspaceId, surveyId };
  const collectingState = await context.surveys.collectingState(ref);
  if (!collectingState.found) throw new AppError("survey_not_found");
  const now = answerTime(call.idempotency, context.now());
  const batch: Batch = {
    ...ref,
    caller: call.caller,
    fetched: { survey: collectingState },
    readStartVersion: async () =>
      collectingState.versionId === ""
        ? { versionId: "", versionNumber: 0 }
        : context.prepareVersion({ ...ref, versionId: collectingState.versionId }),
    key: call.idempotency?.key ?? "",
    requestId: call.requestId,
    traceparent: call.traceparent ?? "",
    macBody: call.macBody,
    now,
  };
  const work = async () => {
    const submissions = await storeBatch(context, batch, inputs, errorsInCapacity());
    return create(SubmitBatchResponseSchema, { submissions });
  };
  return context.batchPermits.run(workspaceId, call.signal, () =>
    call.idempotency
      ? // Locks the key while the parts of the batch commit on other connections.
        inTransaction(context.database.pool, (sql) => idempotently(sql, call, SubmitBatchResponseSchema, now, work))
      : work(),
  );
}

function readInputs(bodyJson: string): unknown[] {
  const input = readObject(bodyJson);
  // Validates the list with placeholder items: each submission is validated later on its own.
  const { submissions } = input;
  const blank = Array.isArray(submissions) ? { ...input, submissions: submissions.map(() => placeholder) } : input;
  refuseViolations(shapeViolations(batchBody, blank));
  return submissions as unknown[];
}

const placeholder = { responses: [] };

/** Bytes of error details in one response, which is recorded with the batch's key. */
const detailBytes = 128 * 1024;
const leastBytes = 200;

function errorsInCapacity(): (result: ItemResult) => MessageInitShape<typeof BatchedSubmissionSchema> {
  let bytesLeft = detailBytes;
  return ({ respondentId, error, ...stored }) => {
    if (!error) return { respondentId, ...stored };
    const detail = toErrorDetail(error, Math.max(bytesLeft, leastBytes));
    bytesLeft -= Buffer.byteLength(detail.detailsJson);
    return { respondentId, error: detail };
  };
}
