import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError, type ErrorCode } from "@canvass/errors";
import { isId, requireBatchSize } from "@canvass/inputs";
import type { BatchGetSurveysRequest, BatchGetSurveysResponseSchema, SurveyResultSchema } from "@canvass/proto/survey";
import { toErrorDetail } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findSurveys } from "../storage/find-surveys.ts";
import { uniqueRefs, refKey } from "./unique-refs.ts";
import { toSurveyMessage } from "./survey-message.ts";

type Result = MessageInitShape<typeof SurveyResultSchema>;

const failed = (code: ErrorCode): Result => ({
  outcome: { case: "error", value: toErrorDetail(new AppError(code)) },
});
const unauthorized = failed("unauthorized");
const notFound = failed("survey_not_found");

/**
 * Reads surveys for the requests of one tick: one statement for all of them, a result or an error for each. A survey
 * of another workspace than the caller's is as absent as one that does not exist.
 */
export async function batchGetSurveys(
  { database: { hot }, verifyCaller }: SurveyContext,
  { surveys }: BatchGetSurveysRequest,
): Promise<MessageInitShape<typeof BatchGetSurveysResponseSchema>> {
  requireBatchSize("surveys", surveys);
  const refs = surveys.map(({ caller, surveyId }): SurveyRef | undefined => {
    const verified = verifyCaller(caller);
    return verified && { workspaceId: verified.workspaceId, surveyId };
  });
  const known = refs.filter((ref) => ref !== undefined && isId(ref.surveyId)) as SurveyRef[];
  const found = new Map<string, Result>();
  for (const survey of await findSurveys(hot.sql, uniqueRefs(known))) {
    found.set(refKey(survey), { outcome: { case: "survey", value: toSurveyMessage(survey) } });
  }
  return { results: refs.map((ref) => (ref ? (found.get(refKey(ref)) ?? notFound) : unauthorized)) };
}
