import { AppError } from "@canvass/errors";
import type { Survey, SurveyResult } from "@canvass/proto/survey";
import { callOptions, fromErrorDetail } from "@canvass/rpc";
import type { ServiceClients } from "../clients/service-clients.ts";
import { firstTraced } from "./first-traced.ts";
import { createSurveyCache, type CachedSurvey } from "./survey-cache.ts";
import { requestIdsOf } from "./request-ids.ts";
import { createRpcBatcher } from "./rpc-batcher.ts";

export interface SurveyQuestion {
  caller: string;
  workspaceId: string;
  surveyId: string;
  requestId: string;
  traceparent?: string | undefined;
}

/** Batches and caches reads. Equal reads of a batch are sent once; the service omits surveys that did not change. */
export function surveyReader({ surveys }: ServiceClients, requestTimeoutMs: number) {
  const kept = createSurveyCache();

  function take(
    question: SurveyQuestion,
    held: CachedSurvey | undefined,
    result: SurveyResult | undefined,
  ): Survey | AppError {
    if (result?.outcome.case === "error") return fromErrorDetail(result.outcome.value);
    if (result?.unchanged && held) return held.survey;
    if (result?.outcome.case !== "survey") return new AppError("internal_error");
    const { state, outcome } = result;
    if (state !== "") kept.set(question.workspaceId, question.surveyId, { survey: outcome.value, state });
    return outcome.value;
  }

  return createRpcBatcher<SurveyQuestion, Survey>({
    deadlineMs: requestTimeoutMs,
    send: async (questions, timeoutMs) => {
      const { distinct, indexes } = withoutRepetition(questions);
      const held = distinct.map(({ workspaceId, surveyId }) => kept.get(workspaceId, surveyId));
      const { results } = await surveys.batchGetSurveys(
        {
          surveys: distinct.map(({ caller, surveyId }, index) => ({
            caller,
            surveyId,
            heldState: held[index]?.state ?? "",
          })),
        },
        callOptions({ timeoutMs, requestId: requestIdsOf(questions), traceparent: firstTraced(questions) }),
      );
      const outcomes = distinct.map((question, index) => take(question, held[index], results[index]));
      return indexes.map((index) => outcomes[index]!);
    },
  });
}

export function withoutRepetition(questions: readonly SurveyQuestion[]): {
  distinct: SurveyQuestion[];
  indexes: number[];
} {
  const distinct: SurveyQuestion[] = [];
  const indexByCaller = new Map<string, Map<string, number>>();
  const indexes = questions.map((question) => {
    let indexById = indexByCaller.get(question.caller);
    if (!indexById) indexByCaller.set(question.caller, (indexById = new Map()));
    const known = indexById.get(question.surveyId);
    if (known !== undefined) return known;
    indexById.set(question.surveyId, distinct.length);
    return distinct.push(question) - 1;
  });
  return { distinct, indexes };
}
