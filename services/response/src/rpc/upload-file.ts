import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { inTransaction, recordIdempotentResponses, type IdempotencyKey, type Sql } from "@canvass/postgres";
import { claimBatch, answerTime, idempotencyKey, replayMessage } from "@canvass/postgres/rpc";
import {
  UploadFileResponseSchema,
  type FileUpload,
  type UploadFileRequest,
  type UploadFileResponse,
} from "@canvass/proto/files";
import type { Call } from "@canvass/rpc";
import { hash } from "node:crypto";
import type { ResponseContext } from "../context.ts";
import type { FileLimits } from "../domain/files/file-limits.ts";
import { fileExpiry, type FileRef } from "../domain/files/uploaded-file.ts";
import { startUpload, uploadMs } from "../application/files/start-upload.ts";
import { contentKey, type Files } from "../application/files/files.ts";
import { validateUpload, type ValidatedUpload } from "../application/files/validate-upload.ts";
import { receiveContent, type ReceivedContent } from "../application/files/receive-content.ts";
import { findFile } from "../storage/files/answered-files.ts";
import { dropUpload } from "../storage/files/deletions.ts";
import { completeUpload, holdRespondent } from "../storage/files/uploads.ts";

/** Retries if the survey, link, contact or respondent changes between validating an upload and storing its row. */
const mostChanges = 20;

/** Stores a row, then the bytes, then size and type (contract 7.19). After a failure the row expires with its bytes. */
export async function uploadFile(
  context: ResponseContext,
  requests: AsyncIterable<UploadFileRequest>,
  call: Call,
): Promise<UploadFileResponse> {
  const { files } = context;
  if (!files) throw new AppError("service_unavailable", { part: "file storage" });
  const parts = requests[Symbol.asyncIterator]();
  const { part } = ((await parts.next()) as IteratorYieldResult<UploadFileRequest>).value;
  if (part.case !== "upload") throw new AppError("internal_error");
  const asked = part.value;
  const { upload, ref } = await begin(context, files.limits, asked);
  try {
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(uploadMs)]);
    const content = await receiveContent(parts, upload, (chunks) => files.store.write(contentKey(ref), chunks, signal));
    return await complete(context, { asked, upload, ref, content }, call);
  } catch (error) {
    await giveUp(context, files, ref);
    throw error;
  }
}

async function begin(
  context: ResponseContext,
  limits: FileLimits,
  asked: FileUpload,
): Promise<Pick<Received, "upload" | "ref">> {
  for (let changes = 0; changes < mostChanges; changes += 1) {
    const evaluated = await validateUpload(context, asked, context.now());
    const { maxBytes } = evaluated.rules;
    const upload = { ...evaluated, rules: { ...evaluated.rules, maxBytes: Math.min(maxBytes, limits.perFile) } };
    const ref = await startUpload(context, upload, limits, Number(asked.mostBytes));
    if (ref) return { upload, ref };
  }
  throw new AppError("service_unavailable");
}

interface Received {
  asked: FileUpload;
  upload: ValidatedUpload;
  ref: FileRef;
  content: ReceivedContent;
}

async function complete(context: ResponseContext, received: Received, call: Call): Promise<UploadFileResponse> {
  const { asked, upload, ref, content } = received;
  const { database, limitWrites, files } = context;
  const at = context.now();
  const key = asked.idempotency && keyOf(received, asked.idempotency, call);
  const { isAnonymous, timeZone, name } = upload;
  const { sizeBytes, mimeType } = content;
  const response = create(UploadFileResponseSchema, {
    fileId: ref.fileId,
    name,
    sizeBytes: BigInt(sizeBytes),
    mimeType,
  });
  const write = async (sql: Sql): Promise<UploadFileResponse> => {
    const [earlier] = key ? await claimBatch(sql, [key], at) : [];
    if (earlier instanceof AppError) throw earlier;
    const { workspaceId, respondentId, distributorId } = upload;
    if (earlier) {
      const { fileId } = fromBinary(UploadFileResponseSchema, earlier.response);
      if (!(await findFile(sql, { workspaceId, fileId }))) throw new AppError("file_not_found");
      await dropUpload(sql, ref, at);
      return create(UploadFileResponseSchema, { ...response, fileId, replay: replayMessage(earlier) });
    }
    const isThere = respondentId === "" || (await holdRespondent(sql, workspaceId, respondentId));
    const whole = { ...content, expiresAt: fileExpiry(at, isAnonymous, timeZone, distributorId !== "") };
    if (!isThere || !(await completeUpload(sql, ref, whole))) throw new AppError("respondent_not_found");
    if (key) {
      const answeredAt = answerTime(asked.idempotency, at);
      const { requestId } = asked.idempotency!;
      // The record outlives an erasure, so it holds only the id and no personal data.
      const answer = toBinary(UploadFileResponseSchema, create(UploadFileResponseSchema, { fileId: ref.fileId }));
      await recordIdempotentResponses(sql, [{ ...key, response: answer, requestId, answeredAt }]);
    }
    return response;
  };
  const answer = await limitWrites(() => inTransaction(database.pool, write, { retryOnce: true }));
  if (answer.replay) files?.clean();
  return answer;
}

/** A retry must repeat the survey, element, respondent, name and content. */
function keyOf(
  { asked, upload, content }: Received,
  idempotency: NonNullable<FileUpload["idempotency"]>,
  { macBody }: Call,
): IdempotencyKey {
  const { surveyId, elementId, respondentId, name } = asked;
  const body = JSON.stringify([surveyId, elementId, respondentId, name, content.sha256]);
  const bodySha256 = hash("sha256", body, "buffer");
  return idempotencyKey(macBody, upload.workspaceId, { ...idempotency, bodySha256 });
}

/** If the database is down, the row expires by itself. */
async function giveUp({ database, now, log }: ResponseContext, files: Files, ref: FileRef): Promise<void> {
  try {
    await dropUpload(database.sql, ref, now());
    files.clean();
  } catch (err) {
    log.warn({ err }, "an upload that was cut is deleted later");
  }
}
