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
import { renderingDigest, toSurveyMessage } from "./survey-message.ts";

type Result = MessageInitShape<typeof SurveyResultSchema>;

/** A survey and the state that the caller has cached; empty if none. */
interface HeldRef extends SurveyRef {
  heldState: string;
}

const failed = (code: ErrorCode): Result => ({
  outcome: { case: "error", value: toErrorDetail(new AppError(code)) },
});
const unauthorized = failed("unauthorized");
const notFound = failed("survey_not_found");
const asHeld: Result = { unchanged: true };

/** If the cached state of a survey is current, reads only that state. */
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

/** Includes `renderingDigest`, because another release may render the same rows differently. */
const stateOf = ({ state }: { state: string }) => `${state}.${renderingDigest}`;
