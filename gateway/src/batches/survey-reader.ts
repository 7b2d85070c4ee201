import { AppError } from "@canvass/errors";
import type { Survey, SurveyResult } from "@canvass/proto/survey";
import { fromErrorDetail } from "@canvass/rpc";
import type { ServiceClients } from "../clients/service-clients.ts";
import { batchCallOptions, createRpcBatcher } from "./rpc-batcher.ts";
import { createSharedCache, type SharedCache } from "@canvass/fairness";

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

/** `indexes` has, for each read, the index in `distinct` of the read by the same caller of the same survey. */
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

interface CachedSurvey {
  survey: Survey;
  /** The service compares this with the current state and returns the survey only if it changed. */
  state: string;
}

const mebi = 1024 * 1024;

/** Caches surveys by workspace. */
function createSurveyCache(): SharedCache<CachedSurvey> {
  return createSharedCache({ maxSize: 32 * mebi, share: 4 * mebi, sizeOf: ({ survey }) => estimateBytes(survey) });
}

/** Estimates bytes: two per character, in two copies (message and rendered), plus a constant for the rest. */
function estimateBytes({ name, description, settingsJson }: Survey): number {
  return 4 * (name.length + description.length + settingsJson.length) + 2_000;
}
