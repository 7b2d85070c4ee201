import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { createBatcher } from "@canvass/fairness";
import {
  inTransaction,
  recordIdempotentResponses,
  sendAll,
  type IdempotencyKey,
  type Defer,
  type Sql,
  type Replay,
} from "@canvass/postgres";
import { claimBatch } from "@canvass/postgres/rpc";
import { StartLinkRespondentResponseSchema, type StartLinkRespondentResponse } from "@canvass/proto/response-links";
import type { Pool } from "pg";
import { startWithLinks } from "./start-with-links.ts";
import { toRespondentMessage } from "./respondent-message.ts";
import { BatchChanges } from "../../domain/submissions/batch-changes.ts";
import { addStart } from "../../domain/results/count-start.ts";
import { newRespondent, type StartContext, type StartDetails } from "../../domain/respondents/new-respondent.ts";
import type { NewRespondent } from "../../domain/respondents/respondent-state.ts";
import { beginWrite, type GivenClock, holdCollecting, locksOf } from "../../storage/advisory-locks.ts";
import { isOutdated, type ValidatedAgainst } from "../collecting/is-outdated.ts";
import { findStartRevisions } from "../../storage/collecting/start-revisions.ts";
import { changeStatements } from "../../storage/save-changes.ts";

export interface PermittedStart {
  start: Omit<StartContext, "now">;
  details: StartDetails;
  link?: StartLink;
  /** How many values of hidden fields are not kept. */
  ignored: number;
  validatedAgainst: ValidatedAgainst;
  key: IdempotencyKey | undefined;
  requestId: string;
  /** Timestamp of the idempotency record. */
  answeredAt: Date;
}

export interface StartLink {
  linkId: string;
  /** Whether a later start by the same link continues as the same respondent. */
  isPersonal: boolean;
  nonce: string;
}

export interface Started {
  /** With a link, `sessionToken` is the nonce, so that no record holds a secret. Without one, it has no session. */
  response: StartLinkRespondentResponse;
  replay?: Replay;
}

/** The revisions that permitted a start have changed: the start must be validated again. */
type Outdated = undefined;

/** Retries if a survey or link changes between validating a start and storing it. */
const mostChanges = 20;

/** Stores concurrent starts in one commit. `permit` validates a start, and again if what it relied on has changed. */
export function createStartStore(
  pool: Pool,
  now: () => Date,
  clock: GivenClock,
): (permit: () => Promise<PermittedStart>) => Promise<Started> {
  const store = createBatcher<PermittedStart, Started | Outdated>({
    maxSize: 200,
    maxInFlight: 2,
    // Fair to workspaces, because no token limits starts by links.
    ownerOf: ({ start }) => start.workspaceId,
    send: (starts) => inTransaction(pool, (sql, last) => storeStarts(sql, last, starts, now(), clock)),
  });
  return async (permit) => {
    for (let changes = 0; changes < mostChanges; changes += 1) {
      const outcome = await store(await permit());
      if (outcome) return outcome;
    }
    throw new AppError("service_unavailable");
  };
}

async function storeStarts(
  sql: Sql,
  last: Defer,
  starts: readonly PermittedStart[],
  now: Date,
  clock: GivenClock,
): Promise<(Started | AppError | Outdated)[]> {
  const keys = starts.map(({ key }) => key);
  const surveys = starts.map(({ start }) => start);
  const refs = starts.map(({ start, details: { distributorId, contactId } }) => ({
    ...start,
    distributorId,
    contactId,
  }));
  const [, current, earlier, startedAt] = await Promise.all([
    holdCollecting(sql, refs.flatMap(locksOf)),
    findStartRevisions(sql, refs),
    keys.some(Boolean) ? claimBatch(sql, keys, now) : [],
    beginWrite(sql, surveys, clock),
  ]);
  const changes = new BatchChanges();
  const wanted = starts.map((permitted, index): WantedStart | undefined => {
    if (earlier[index] || isOutdated(permitted.validatedAgainst, current[index]!)) return undefined;
    const { start, details } = permitted;
    return { permitted, respondent: newRespondent({ ...start, now: startedAt }, details), startedAt };
  });
  const going = await startWithLinks(sql, wanted);
  const begun: BegunStart[] = [];
  const outcomes = starts.map((permitted, index) => {
    const known = earlier[index];
    if (known instanceof AppError) return known;
    if (known) return { response: fromBinary(StartLinkRespondentResponseSchema, known.response), replay: known };
    const start = wanted[index];
    if (!start) return undefined;
    const { respondent } = start;
    const existing = going[index];
    if (existing instanceof AppError) return existing;
    if (!existing) addStart(respondent, { timeZone: permitted.start.timeZone, at: startedAt }, changes);
    const response = toResponse(existing ?? respondent, permitted);
    begun.push({ ...permitted, response });
    return { response };
  });
  last(sendAll(sql, await changeStatements(changes)));
  await recordResponses(sql, begun);
  return outcomes;
}

export interface WantedStart {
  permitted: PermittedStart;
  respondent: NewRespondent;
  startedAt: Date;
}

function toResponse(
  respondent: Parameters<typeof toRespondentMessage>[0] & Pick<NewRespondent, "versionId">,
  { link, start, ignored }: PermittedStart,
): StartLinkRespondentResponse {
  const message = toRespondentMessage(respondent, 0);
  const session = link && {
    sessionToken: link.nonce,
    versionId: respondent.versionId,
    workspaceId: start.workspaceId,
  };
  return create(StartLinkRespondentResponseSchema, { respondent: message, ignored, ...session });
}

interface BegunStart extends PermittedStart {
  response: StartLinkRespondentResponse;
}

async function recordResponses(sql: Sql, starts: readonly BegunStart[]): Promise<void> {
  const records = starts.flatMap(({ key, requestId, answeredAt, response }) =>
    key ? [{ ...key, requestId, answeredAt, response: recordOf(response) }] : [],
  );
  await recordIdempotentResponses(sql, records);
}

/** Leaves out personal data, which callers do not receive either: an erasure does not reach idempotency records. */
function recordOf(started: StartLinkRespondentResponse): Uint8Array {
  const { respondent, sessionToken, versionId, workspaceId, ignored } = started;
  const { respondentId, surveyId, status, versionNumber, startedAt, isTest, orderSeed } = respondent!;
  const shown = { respondentId, surveyId, status, versionNumber, isTest, orderSeed, ...(startedAt && { startedAt }) };
  const response = create(StartLinkRespondentResponseSchema, {
    sessionToken,
    versionId,
    workspaceId,
    ignored,
    respondent: shown,
  });
  return toBinary(StartLinkRespondentResponseSchema, response);
}
