import { AppError } from "@canvass/errors";
import type { ElementPage, ElementPageResult } from "@canvass/proto/survey-elements";
import { fromErrorDetail } from "@canvass/rpc";
import type { ServiceClients } from "../clients/service-clients.ts";
import { batchCallOptions } from "./rpc-batcher.ts";
import { createRpcBatcher } from "./rpc-batcher.ts";

export interface ElementPageRequest {
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
  const call = createRpcBatcher<ElementPageRequest, ElementPageResult>({
    deadlineMs: requestTimeoutMs,
    // A batch of hundreds of long pages would delay the batches after it.
    weightOf: ({ limit }) => limit,
    maxWeight: 5_000,
    ownerOf: ({ workspaceId }) => workspaceId,
    send: async (pages, timeoutMs) => {
      const { results } = await surveys.batchListElements({ pages }, batchCallOptions(pages, timeoutMs));
      return results;
    },
  });
  return async (request: ElementPageRequest): Promise<ElementPage> => {
    let result = await call(request);
    while (result.outcome.case === "leftOut") result = await call(request);
    return toPage(result);
  };
}

function toPage({ outcome }: ElementPageResult): ElementPage {
  if (outcome.case === "error") throw fromErrorDetail(outcome.value);
  if (outcome.case !== "page") throw new AppError("internal_error");
  return outcome.value;
}
