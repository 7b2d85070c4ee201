import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import {
  inTransaction,
  recordIdempotentAnswers,
  sendAll,
  type IdempotencyKey,
  type Last,
  type Sql,
} from "@canvass/postgres";
import { StartRespondentResponseSchema, type StartRespondentResponse } from "@canvass/proto/response";
import { createBatcher } from "@canvass/rpc";
import type { Pool } from "pg";
import { toRespondentMessage } from "./respondent-message.ts";
import { claimBatch, type ReplayClaim } from "../storage/claim-batch.ts";
import { BatchChanges } from "../domain/submissions/batch-changes.ts";
import { addStart } from "../domain/results/count-start.ts";
import { newRespondent, type Start, type Told } from "../domain/respondents/new-respondent.ts";
import { beginMoment, type GivenClock } from "../storage/horizon.ts";
import { changeStatements } from "../storage/save-changes.ts";

/** A start that has passed every check. */
export interface PermittedStart {
  start: Omit<Start, "now">;
  told: Told;
  key: IdempotencyKey | undefined;
  requestId: string;
  /** The time of the answer to a request with an idempotency key. */
  answeredAt: Date;
}

export interface Started {
  response: StartRespondentResponse;
  /** Set when the answer was given before. */
  replay?: ReplayClaim;
}

/** Stores starts, those of one moment with one commit. The returned function throws the error of an idempotency key. */
export function createStartStore(
  pool: Pool,
  now: () => Date,
  clock: GivenClock,
): (start: PermittedStart) => Promise<Started> {
  const store = createBatcher<PermittedStart, Started | AppError>({
    maxSize: 200,
    maxInFlight: 2,
    send: (starts) => inTransaction(pool, (sql, last) => storeStarts(sql, last, starts, now(), clock)),
  });
  return async (start) => {
    const outcome = await store(start);
    if (outcome instanceof AppError) throw outcome;
    return outcome;
  };
}

async function storeStarts(
  sql: Sql,
  last: Last,
  starts: readonly PermittedStart[],
  now: Date,
  clock: GivenClock,
): Promise<(Started | AppError)[]> {
  const keys = starts.map(({ key }) => key);
  const surveys = starts.map(({ start }) => start);
  const [earlier, startedAt] = await Promise.all([
    keys.some(Boolean) ? claimBatch(sql, keys, now) : [],
    beginMoment(sql, surveys, clock),
  ]);
  const changes = new BatchChanges();
  const begun: BegunStart[] = [];
  const outcomes = starts.map((permitted, index) => {
    const known = earlier[index];
    if (known instanceof AppError) return known;
    if (known) return { response: fromBinary(StartRespondentResponseSchema, known.response), replay: known };
    const { start, told } = permitted;
    const respondent = newRespondent({ ...start, now: startedAt }, told);
    addStart(respondent, { timeZone: start.timeZone, at: startedAt }, changes);
    const message = toRespondentMessage(respondent, 0);
    const response = create(StartRespondentResponseSchema, { respondent: message });
    begun.push({ ...permitted, response });
    return { response };
  });
  last(sendAll(sql, await changeStatements(changes)));
  await recordAnswers(sql, begun);
  return outcomes;
}

interface BegunStart extends PermittedStart {
  response: StartRespondentResponse;
}

async function recordAnswers(sql: Sql, starts: readonly BegunStart[]): Promise<void> {
  const records = starts.flatMap(({ key, requestId, answeredAt, response }) =>
    key ? [{ ...key, requestId, answeredAt, response: toBinary(StartRespondentResponseSchema, response) }] : [],
  );
  await recordIdempotentAnswers(sql, records);
}
