import { AppError } from "@canvass/errors";
import { createBatcher, type BatcherOptions } from "@canvass/rpc";

export interface TimedBatcherOptions<Item, Result> extends Omit<BatcherOptions<Item, Result>, "send"> {
  send: (items: Item[], timeoutMs: number) => Promise<Result[]>;
  requestTimeoutMs: number;
}

interface Asked<Item> {
  item: Item;
  at: number;
}

/** An item may wait for half of `requestTimeoutMs`, and its call has the other half. A late item fails unsent. */
export function createTimedBatcher<Item, Result>(
  options: TimedBatcherOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { send, weigh, ownerOf, requestTimeoutMs, ...rest } = options;
  const half = requestTimeoutMs / 2;

  async function sendTimely(asked: Asked<Item>[]): Promise<(Result | AppError)[]> {
    const latest = performance.now() - half;
    const timely = asked.filter(({ at }) => at >= latest);
    const items = timely.map(({ item }) => item);
    const results = items.length === 0 ? [] : await send(items, half).catch(hideUnauthorized);
    if (timely.length === asked.length) return results;
    let next = 0;
    return asked.map(({ at }) => (at >= latest ? results[next++]! : new AppError("deadline_exceeded")));
  }

  const ask = createBatcher<Asked<Item>, Result | AppError>({
    ...rest,
    ...(weigh && { weigh: ({ item }) => weigh(item) }),
    ...(ownerOf && { ownerOf: ({ item }) => ownerOf(item) }),
    send: sendTimely,
  });
  return async (item) => {
    const result = await ask({ item, at: performance.now() });
    if (result instanceof AppError) throw result;
    return result;
  };
}

/** A batch is a call between processes, so `unauthorized` is a defect and not the caller's fault. */
function hideUnauthorized(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
  throw Object.assign(new AppError("internal_error"), { cause: error });
}
