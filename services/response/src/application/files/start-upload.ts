import { newId } from "@canvass/values";
import { inTransaction } from "@canvass/postgres";
import { isOutdated } from "../collecting/is-outdated.ts";
import type { ResponseContext } from "../../context.ts";
import {
  requireUnansweredCapacity,
  tooLarge,
  workspaceFullError,
  type FileLimits,
} from "../../domain/files/file-limits.ts";
import type { FileRef } from "../../domain/files/uploaded-file.ts";
import { recordedTime } from "../../domain/respondents/recorded-time.ts";
import { holdCollecting, locksOf } from "../../storage/advisory-locks.ts";
import { findStartRevisions } from "../../storage/collecting/start-revisions.ts";
import { addToTotal, holdRespondent, insertUpload, sumUnanswered } from "../../storage/files/uploads.ts";
import type { ValidatedUpload } from "./validate-upload.ts";

/** Bytes of a request's body besides the file, at most: `mostBytes` is the length of the body. */
const overhead = 8_192;
/** An upload is aborted after this time. Its row expires later, so nothing is written after its deletion. */
export const uploadMs = 20 * 60_000;
const expiryMs = 30 * 60_000;

/** Stores a file's row and reserves its bytes. Returns undefined if the upload must be validated again. */
export async function startUpload(
  { database, limitWrites, now }: ResponseContext,
  upload: ValidatedUpload,
  limits: FileLimits,
  mostBytes: number,
): Promise<FileRef | undefined> {
  const { workspaceId, surveyId, elementId, respondentId, distributorId, clientKey } = upload;
  const { isTest, isAnonymous, timeZone, name, rules } = upload;
  if (mostBytes > rules.maxBytes + overhead) throw tooLarge(rules.maxBytes);
  const at = now();
  const createdAt = recordedTime(at, isAnonymous, timeZone);
  const file = { workspaceId, fileId: newId(createdAt) };
  const sizeBytes = Math.min(mostBytes || rules.maxBytes, rules.maxBytes);
  const expiresAt = new Date(at.getTime() + expiryMs);
  return limitWrites(() =>
    inTransaction(database.pool, async (sql) => {
      const [, [current], isThere] = await Promise.all([
        holdCollecting(sql, locksOf(upload)),
        findStartRevisions(sql, [upload]),
        respondentId === "" || holdRespondent(sql, workspaceId, respondentId),
      ]);
      if (!isThere || isOutdated(upload.validatedAgainst, current!)) return undefined;
      if (!(await addToTotal(sql, workspaceId, sizeBytes, limits.perWorkspace))) throw workspaceFullError(limits);
      await insertUpload(sql, {
        ...file,
        surveyId,
        elementId,
        respondentId,
        distributorId,
        clientKey,
        isTest,
        name,
        sizeBytes,
        createdAt,
        expiresAt,
      });
      requireUnansweredCapacity(await sumUnanswered(sql, upload), limits);
      return file;
    }),
  );
}
