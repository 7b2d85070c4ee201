import { AppError } from "@canvass/errors";
import type { Survey, SurveyResult } from "@canvass/proto/survey";
import { fromErrorDetail } from "@canvass/rpc";
import type { ServiceClients } from "../clients/service-clients.ts";
import { batchCallOptions } from "./batch-call-options.ts";
import { createSurveyCache, type CachedSurvey } from "./survey-cache.ts";
import { createRpcBatcher } from "./rpc-batcher.ts";

export interface SurveyRead {
  caller: string;
  workspaceId: string;
  surveyId: string;
  requestId: string;
  traceparent?: string | undefined;
}

/** Batches and caches reads. Equal reads of a batch are sent once; the service omits surveys that did not change. */
export function createSurveyReader({ surveys }: ServiceClients, requestTimeoutMs: number) {
  const cache = createSurveyCache();

  function take(read: SurveyRead, held: CachedSurvey | undefined, result: SurveyResult | undefined): Survey | AppError {
    if (result?.outcome.case === "error") return fromErrorDetail(result.outcome.value);
    if (result?.unchanged && held) return held.survey;
    if (result?.outcome.case !== "survey") return new AppError("internal_error");
    const { state, outcome } = result;
    if (state !== "") cache.set(read.workspaceId, read.surveyId, { survey: outcome.value, state });
    return outcome.value;
  }

  return createRpcBatcher<SurveyRead, Survey>({
    deadlineMs: requestTimeoutMs,
    ownerOf: ({ workspaceId }) => workspaceId,
    send: async (reads, timeoutMs) => {
      const { distinct, indexes } = deduplicate(reads);
      const held = distinct.map(({ workspaceId, surveyId }) => cache.get(workspaceId, surveyId));
      const { results } = await surveys.batchGetSurveys(
        {
          surveys: distinct.map(({ caller, surveyId }, index) => ({
            caller,
            surveyId,
            heldState: held[index]?.state ?? "",
          })),
        },
        batchCallOptions(reads, timeoutMs),
      );
      const outcomes = distinct.map((read, index) => take(read, held[index], results[index]));
      return indexes.map((index) => outcomes[index]!);
    },
  });
}

export function deduplicate(reads: readonly SurveyRead[]): {
  distinct: SurveyRead[];
  indexes: number[];
} {
  const distinct: SurveyRead[] = [];
  // Nested, since a caller is a long text.
  const indexByCaller = new Map<string, Map<string, number>>();
  const indexes = reads.map((read) => {
    let indexById = indexByCaller.get(read.caller);
    if (!indexById) indexByCaller.set(read.caller, (indexById = new Map()));
    const known = indexById.get(read.surveyId);
    if (known !== undefined) return known;
    indexById.set(read.surveyId, distinct.length);
    return distinct.push(read) - 1;
  });
  return { distinct, indexes };
}
