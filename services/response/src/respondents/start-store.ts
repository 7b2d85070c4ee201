import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { inTransaction, recordIdempotentAnswers, type IdempotencyKey, type Sql } from "@canvass/postgres";
import { StartRespondentResponseSchema, type StartRespondentResponse } from "@canvass/proto/response";
import { createBatcher } from "@canvass/rpc";
import type { Pool } from "pg";
import { toRespondentMessage } from "./respondent-message.ts";
import { claimBatch, type ReplayClaim } from "../storage/claim-batch.ts";
import { BatchChanges } from "../domain/batch-changes.ts";
import { addStart } from "../domain/count-start.ts";
import type { NewRespondent } from "../domain/respondent-state.ts";
import { saveChanges } from "../storage/save-changes.ts";

/** A start that has passed every check. */
export interface PermittedStart {
  respondent: NewRespondent;
  /** IANA name, of the workspace. */
  timeZone: string;
  key: IdempotencyKey | undefined;
  requestId: string;
}

export interface Started {
  response: StartRespondentResponse;
  /** Set when the answer was given before. */
  replay?: ReplayClaim;
}

/** Stores starts, those of one moment with one commit. The returned function throws the error of an idempotency key. */
export function createStartStore(pool: Pool, now: () => Date): (start: PermittedStart) => Promise<Started> {
  const store = createBatcher<PermittedStart, Started | AppError>({
    maxSize: 200,
    maxInFlight: 2,
    send: (starts) => inTransaction(pool, (sql) => storeStarts(sql, starts, now())),
  });
  return async (start) => {
    const outcome = await store(start);
    if (outcome instanceof AppError) throw outcome;
    return outcome;
  };
}

async function storeStarts(sql: Sql, starts: readonly PermittedStart[], now: Date): Promise<(Started | AppError)[]> {
  const keys = starts.map(({ key }) => key);
  const earlier = keys.some(Boolean) ? await claimBatch(sql, keys, now) : [];
  const outcomes = starts.map((start, index) => outcomeOf(start, earlier[index]));
  const claimed = starts.filter((_, index) => earlier[index] === undefined);
  const changes = new BatchChanges();
  for (const { respondent, timeZone } of claimed) {
    addStart(respondent, { timeZone, at: respondent.startedAt }, changes);
  }
  await Promise.all([saveChanges(sql, changes), recordAnswers(sql, claimed)]);
  return outcomes;
}

function outcomeOf(start: PermittedStart, earlier: ReplayClaim | AppError | undefined): Started | AppError {
  if (earlier instanceof AppError) return earlier;
  if (earlier) return { response: fromBinary(StartRespondentResponseSchema, earlier.response), replay: earlier };
  return { response: responseTo(start) };
}

function responseTo({ respondent }: PermittedStart): StartRespondentResponse {
  return create(StartRespondentResponseSchema, { respondent: toRespondentMessage(respondent, 0) });
}

async function recordAnswers(sql: Sql, starts: readonly PermittedStart[]): Promise<void> {
  const records = starts.flatMap((start) => {
    const { key, requestId, respondent } = start;
    if (!key) return [];
    const response = toBinary(StartRespondentResponseSchema, responseTo(start));
    return [{ ...key, requestId, response, answeredAt: respondent.startedAt }];
  });
  await recordIdempotentAnswers(sql, records);
}
