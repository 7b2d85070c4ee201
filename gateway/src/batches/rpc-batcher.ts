import { AppError } from "@canvass/errors";
import { createBatcher, type BatcherOptions } from "@canvass/fairness";
import { mostBatchItems } from "@canvass/inputs";

type Options<Item, Result> = Omit<BatcherOptions<Item, Result>, "maxSize" | "maxInFlight"> & {
  deadlineMs: number;
  maxInFlight?: number;
};

/** Batches the calls of one event loop turn as one RPC, at most two at a time. */
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
