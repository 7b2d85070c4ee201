import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError, type ErrorCode } from "@canvass/errors";
import { requireBatchSize } from "@canvass/inputs";
import { isId } from "@canvass/values";
import type { BatchGetSurveysRequest, BatchGetSurveysResponseSchema, SurveyResultSchema } from "@canvass/proto/survey";
import type { Sql } from "@canvass/postgres";
import { toErrorDetail } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findStates, findSurveys } from "../storage/find-surveys.ts";
import { uniqueRefs, refKey } from "./unique-refs.ts";
import { shownBy, toSurveyMessage } from "./survey-message.ts";

type Result = MessageInitShape<typeof SurveyResultSchema>;

/** A survey, and the state of it that the caller has, if any. */
interface HeldRef extends SurveyRef {
  heldState: string;
}

const failed = (code: ErrorCode): Result => ({
  outcome: { case: "error", value: toErrorDetail(new AppError(code)) },
});
const unauthorized = failed("unauthorized");
const notFound = failed("survey_not_found");
const asHeld: Result = { unchanged: true };

/**
 * Reads surveys for the requests of one tick: a result or an error for each. Of those that a caller holds as they are, only their
 * states are looked up. A survey of another workspace than the caller's is as absent as one that does not exist.
 */
export async function batchGetSurveys(
  { database: { hot }, verifyCaller }: SurveyContext,
  { surveys }: BatchGetSurveysRequest,
): Promise<MessageInitShape<typeof BatchGetSurveysResponseSchema>> {
  requireBatchSize("surveys", surveys);
  const refs = surveys.map(({ caller, surveyId, heldState }): HeldRef | undefined => {
    const verified = verifyCaller(caller);
    return verified && { workspaceId: verified.workspaceId, surveyId, heldState };
  });
  const known = refs.filter((ref) => ref !== undefined && isId(ref.surveyId)) as HeldRef[];
  const unchanged = await findUnchanged(hot.sql, known);
  const found = await findWhole(
    hot.sql,
    known.filter((ref) => !unchanged.has(heldKey(ref))),
  );
  return {
    results: refs.map((ref) => {
      if (!ref) return unauthorized;
      return unchanged.has(heldKey(ref)) ? asHeld : (found.get(refKey(ref)) ?? notFound);
    }),
  };
}

/** The `heldKey` of each survey that is as it is held. */
async function findUnchanged(sql: Sql, refs: readonly HeldRef[]): Promise<Set<string>> {
  const held = refs.filter(({ heldState }) => heldState !== "");
  const states = await findStates(sql, uniqueRefs(held));
  return new Set(states.map((ref) => heldKey({ ...ref, heldState: stateOf(ref) })));
}

async function findWhole(sql: Sql, refs: readonly SurveyRef[]): Promise<Map<string, Result>> {
  const surveys = await findSurveys(sql, uniqueRefs(refs));
  return new Map(
    surveys.map((survey) => [
      refKey(survey),
      { outcome: { case: "survey", value: toSurveyMessage(survey) }, state: stateOf(survey) },
    ]),
  );
}

const heldKey = (ref: HeldRef) => `${refKey(ref)} ${ref.heldState}`;

/** Processes of another release may show the same rows differently. */
const stateOf = ({ state }: { state: string }) => `${state}.${shownBy}`;
