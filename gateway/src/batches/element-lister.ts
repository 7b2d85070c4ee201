import { AppError } from "@canvass/errors";
import type { ElementPage, ElementPageResult } from "@canvass/proto/survey";
import { callOptions, fromErrorDetail } from "@canvass/rpc";
import type { ServiceClients } from "../clients/service-clients.ts";
import { firstTraced } from "./first-traced.ts";
import { requestIdsOf } from "./request-ids.ts";
import { createRpcBatcher } from "./rpc-batcher.ts";

export interface ElementPageQuestion {
  workspaceId: string;
  caller: string;
  surveyId: string;
  limit: number;
  /** The page by number, unless there is a cursor. */
  page: number;
  cursor?: string;
  includeContent: boolean;
  requestId: string;
  traceparent?: string | undefined;
}

export function elementLister({ surveys }: ServiceClients, requestTimeoutMs: number) {
  const call = createRpcBatcher<ElementPageQuestion, ElementPageResult>({
    deadlineMs: requestTimeoutMs,
    // A batch of hundreds of long pages would delay the batches after it.
    weightOf: ({ limit }) => limit,
    maxWeight: 5_000,
    ownerOf: ({ workspaceId }) => workspaceId,
    send: async (questions, timeoutMs) => {
      const options = callOptions({
        timeoutMs,
        requestId: requestIdsOf(questions),
        traceparent: firstTraced(questions),
      });
      return (await surveys.batchListElements({ pages: questions }, options)).results;
    },
  });
  return async (question: ElementPageQuestion): Promise<ElementPage> => {
    let result = await call(question);
    while (result.outcome.case === "leftOut") result = await call(question);
    return toPage(result);
  };
}

function toPage({ outcome }: ElementPageResult): ElementPage {
  if (outcome.case === "error") throw fromErrorDetail(outcome.value);
  if (outcome.case !== "page") throw new AppError("internal_error");
  return outcome.value;
}
