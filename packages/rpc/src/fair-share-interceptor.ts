import { createKeyedSemaphore, type KeyedSemaphore } from "@canvass/fairness";
import { Access } from "@canvass/proto/access";
import { Gauge, type Registry } from "@canvass/telemetry";
import type { Interceptor } from "@connectrpc/connect";
import { callerKey, type WithoutPermit, withoutPermitKey } from "./call.ts";
import { accessOf } from "./method-access.ts";

const perWorkspace = 2;
/** Per workspace. About as many heavy calls as finish before their deadline. */
const maxWaiting = 200;
/** Database connections reserved for background work. */
const leftOver = 1;

/** Serves workspaces round robin, except in batches and `grouped` methods. The access check must run first. */
export function fairShareInterceptor(registry: Registry, databasePool: number): Interceptor {
  const total = Math.max(1, databasePool - leftOver);
  const permits = createKeyedSemaphore({ perKey: Math.min(perWorkspace, total), total, maxWaiting });
  const waiting = new Gauge({
    name: "rpc_server_calls_waiting",
    help: "Calls that wait for a permit of their workspace",
    registers: [],
    collect() {
      this.set(permits.waiting);
    },
  });
  registry.registerMetric(waiting);
  return (next) => async (request) => {
    const of = accessOf(request.method);
    const waits = of.access === Access.CALLER && !of.grouped;
    if (!waits) return next(request);
    const { workspaceId } = request.contextValues.get(callerKey)!;
    const permit = createPermit(permits, workspaceId, request.signal);
    request.contextValues.set(withoutPermitKey, permit.without);
    await permit.take();
    try {
      return await begun(next(request));
    } finally {
      permit.end();
    }
  };
}

/** The permit of a call. */
function createPermit(permits: KeyedSemaphore, workspaceId: string, signal: AbortSignal) {
  let release = () => {};
  let hasEnded = false;

  async function take(): Promise<void> {
    const taken = Promise.withResolvers<void>();
    const held = permits.run(workspaceId, signal, async () => {
      taken.resolve();
      if (!hasEnded) await new Promise<void>((resolve) => (release = resolve));
    });
    held.catch(taken.reject);
    await taken.promise;
  }

  const without: WithoutPermit = async (work) => {
    release();
    const result = await work();
    if (!hasEnded) await take();
    return result;
  };

  function end(): void {
    hasEnded = true;
    release();
  }

  return { take, without, end };
}

/** A stream holds its permit until its first message. */
async function begun(responding: ReturnType<ReturnType<Interceptor>>): ReturnType<ReturnType<Interceptor>> {
  const response = await responding;
  return response.stream ? { ...response, message: await beginStream(response.message) } : response;
}

/** Waits for a stream's first message; the returned stream starts with it. */
async function beginStream<T>(messages: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = messages[Symbol.asyncIterator]();
  const begun = [await iterator.next()];
  // Not a generator: its `return` before its first `next` would not end the underlying stream.
  const rest: AsyncIterator<T> = {
    next: async () => begun.pop() ?? iterator.next(),
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => rest };
}
