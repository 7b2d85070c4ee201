import { AppError } from "@canvass/errors";
import { createBatcher, type BatcherOptions } from "@canvass/fairness";
import { mostBatchItems } from "@canvass/inputs";
import { callOptions } from "@canvass/rpc";
import { isTraced } from "@canvass/telemetry";

type Options<Item, Result> = Omit<BatcherOptions<Item, Result>, "maxSize" | "maxInFlight"> & {
  deadlineMs: number;
  maxInFlight?: number;
};

/** Batches the calls of one event loop turn as one RPC, two at a time by default. */
export function createRpcBatcher<Item, Result>(options: Options<Item, Result>): (item: Item) => Promise<Result> {
  return createBatcher<Item, Result>({
    maxSize: mostBatchItems,
    maxInFlight: 2,
    ...options,
    send: (items, timeoutMs) => options.send(items, timeoutMs).catch(hideUnauthorized),
  });
}

/** A batch is a call between processes, so `unauthorized` is a defect and not the caller's fault. */
function hideUnauthorized(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
  throw Object.assign(new AppError("internal_error"), { cause: error });
}

export interface BatchedRequest {
  requestId: string;
  traceparent?: string | undefined;
}

/** Limits the metadata of a call. */
const maxRequestIds = 50;

/**
 * Options of a batch's call. Names the first requests for the service's log. A call carries one trace: that of the
 * first traced request.
 */
export function batchCallOptions(items: readonly BatchedRequest[], timeoutMs: number) {
  const requestIds = items.slice(0, maxRequestIds).map(({ requestId }) => requestId);
  const traceparent = items.find((item) => isTraced(item.traceparent))?.traceparent;
  return callOptions({ timeoutMs, requestId: requestIds.join(" "), traceparent });
}
