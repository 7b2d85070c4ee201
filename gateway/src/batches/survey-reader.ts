import { AppError } from "@canvass/errors";
import { mostBatchItems } from "@canvass/inputs";
import type { Survey, SurveyResult } from "@canvass/proto/survey";
import { callOptions, fromErrorDetail } from "@canvass/rpc";
import type { ServiceClients } from "../clients/service-clients.ts";
import { firstTraced } from "./first-traced.ts";
import { requestIdsOf } from "./request-ids.ts";
import { createTimedBatcher } from "./timed-batcher.ts";

/** Names a survey, and the caller who reads it. */
export interface SurveyQuestion {
  /** Signed. */
  caller: string;
  surveyId: string;
  requestId: string;
  /** Of the request. */
  traceparent?: string | undefined;
}

/**
 * Reads surveys, those of one turn in one call, and equal reads once: under load a caller reads the same survey many
 * times within a turn. Throws AppError.
 */
export function surveyReader({ surveys }: ServiceClients, requestTimeoutMs: number) {
  const ask = createTimedBatcher<SurveyQuestion, SurveyResult>({
    requestTimeoutMs,
    maxSize: mostBatchItems,
    maxInFlight: 2,
    send: async (questions, timeoutMs) => {
      const { distinct, indexes } = withoutRepetition(questions);
      const { results } = await surveys.batchGetSurveys(
        { surveys: distinct },
        callOptions({ timeoutMs, requestId: requestIdsOf(questions), traceparent: firstTraced(questions) }),
      );
      return indexes.map((index) => results[index]!);
    },
  });
  return async (question: SurveyQuestion): Promise<Survey> => toSurvey(await ask(question));
}

/** The distinct questions, and for each question its index among them. */
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

function toSurvey(result: SurveyResult | undefined): Survey {
  if (result?.outcome.case === "error") throw fromErrorDetail(result.outcome.value);
  if (result?.outcome.case !== "survey") throw new AppError("internal_error");
  return result.outcome.value;
}
