import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { inTransaction, recordIdempotentAnswers, type IdempotencyKey, type Sql } from "@canvass/postgres";
import { StartRespondentResponseSchema, type StartRespondentResponse } from "@canvass/proto/response";
import { createBatcher } from "@canvass/rpc";
import type { Pool } from "pg";
import { toRespondentMessage } from "./respondent-message.ts";
import { claimBatch, type ReplayClaim } from "../storage/claim-batch.ts";
import { counterStatements, pickShard } from "../storage/counters.ts";
import { insertRespondents, type NewRespondent } from "../storage/respondents.ts";
import { sendAll } from "../storage/statement.ts";

/** A start that has passed every check. */
export interface PermittedStart {
  respondent: NewRespondent;
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
  await Promise.all([
    insertRespondents(
      sql,
      claimed.map(({ respondent }) => respondent),
    ),
    countStarts(sql, claimed),
    recordAnswers(sql, claimed),
  ]);
  return outcomes;
}

function outcomeOf(start: PermittedStart, earlier: ReplayClaim | AppError | undefined): Started | AppError {
  if (earlier instanceof AppError) return earlier;
  if (earlier) return { response: fromBinary(StartRespondentResponseSchema, earlier.response), replay: earlier };
  return { response: responseTo(start) };
}

function responseTo({ respondent }: PermittedStart): StartRespondentResponse {
  const state = { ...respondent, completedAt: null, pageId: "" };
  return create(StartRespondentResponseSchema, { respondent: toRespondentMessage(state, 0) });
}

async function countStarts(sql: Sql, starts: readonly PermittedStart[]): Promise<void> {
  const counts = new Map<string, { workspace_id: string; survey_id: string; started: number }>();
  for (const { respondent } of starts) {
    if (respondent.isTest) continue;
    const { workspaceId: workspace_id, surveyId: survey_id } = respondent;
    const key = `${workspace_id} ${survey_id}`;
    counts.set(key, { workspace_id, survey_id, started: (counts.get(key)?.started ?? 0) + 1 });
  }
  await sendAll(sql, await counterStatements("survey_counters", pickShard(), counts.values()));
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
