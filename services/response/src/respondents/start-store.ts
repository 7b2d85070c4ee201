import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { inTransaction, recordIdempotentAnswers, type IdempotencyKey, type Sql } from "@canvass/postgres";
import { StartRespondentResponseSchema, type StartRespondentResponse } from "@canvass/proto/response";
import { createBatcher } from "@canvass/rpc";
import { newId } from "@canvass/inputs";
import type { Pool } from "pg";
import { answerIdRoom } from "../domain/answer-id.ts";
import { recordedTime } from "../domain/recorded-time.ts";
import { toRespondentMessage } from "./respondent-message.ts";
import { claimBatch, type ReplayClaim } from "../storage/claim-batch.ts";
import { counterStatements, pickShard } from "../storage/counters.ts";
import { beginMoment, type GivenClock } from "../storage/horizon.ts";
import { insertRespondents, type NewRespondent } from "../storage/respondents.ts";
import { sendAll } from "../storage/statement.ts";

/** A start that has passed every check. */
export interface PermittedStart {
  respondent: Omit<NewRespondent, "respondentId" | "startedAt">;
  /** IANA name, of the workspace. */
  timeZone: string;
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
    send: (starts) => inTransaction(pool, (sql) => storeStarts(sql, starts, now(), clock)),
  });
  return async (start) => {
    const outcome = await store(start);
    if (outcome instanceof AppError) throw outcome;
    return outcome;
  };
}

async function storeStarts(
  sql: Sql,
  starts: readonly PermittedStart[],
  now: Date,
  clock: GivenClock,
): Promise<(Started | AppError)[]> {
  const keys = starts.map(({ key }) => key);
  const [earlier, startedAt] = await Promise.all([
    keys.some(Boolean) ? claimBatch(sql, keys, now) : [],
    beginMoment(
      sql,
      starts.map(({ respondent }) => respondent),
      clock,
    ),
  ]);
  const begun: BegunStart[] = [];
  const outcomes = starts.map((start, index) => {
    const known = earlier[index];
    if (known instanceof AppError) return known;
    if (known) return { response: fromBinary(StartRespondentResponseSchema, known.response), replay: known };
    const { respondent, response } = beginRespondent(start, startedAt);
    begun.push({ ...start, respondent, response });
    return { response };
  });
  await Promise.all([
    insertRespondents(
      sql,
      begun.map(({ respondent }) => respondent),
    ),
    countStarts(sql, begun),
    recordAnswers(sql, begun),
  ]);
  return outcomes;
}

interface BegunStart extends PermittedStart {
  respondent: NewRespondent;
  response: StartRespondentResponse;
}

/** Ids carry the time, so that a list in their order is in the order of starts. */
function beginRespondent(
  { respondent: given, timeZone }: PermittedStart,
  startedAt: Date,
): Pick<BegunStart, "respondent" | "response"> {
  const respondentId = newId(recordedTime(startedAt, given.isAnonymous, timeZone), answerIdRoom);
  const respondent = { ...given, respondentId, startedAt };
  const message = toRespondentMessage({ ...respondent, completedAt: null, pageId: "" }, 0);
  return { respondent, response: create(StartRespondentResponseSchema, { respondent: message }) };
}

async function countStarts(sql: Sql, starts: readonly BegunStart[]): Promise<void> {
  const counts = new Map<string, { workspace_id: string; survey_id: string; started: number }>();
  for (const { respondent } of starts) {
    if (respondent.isTest) continue;
    const { workspaceId: workspace_id, surveyId: survey_id } = respondent;
    const key = `${workspace_id} ${survey_id}`;
    counts.set(key, { workspace_id, survey_id, started: (counts.get(key)?.started ?? 0) + 1 });
  }
  await sendAll(sql, await counterStatements("survey_counters", pickShard(), counts.values()));
}

async function recordAnswers(sql: Sql, starts: readonly BegunStart[]): Promise<void> {
  const records = starts.flatMap(({ key, requestId, answeredAt, response }) =>
    key ? [{ ...key, requestId, answeredAt, response: toBinary(StartRespondentResponseSchema, response) }] : [],
  );
  await recordIdempotentAnswers(sql, records);
}
