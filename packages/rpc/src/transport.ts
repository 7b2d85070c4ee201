import type { DescMethod, DescMethodStreaming } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { createYielder } from "@canvass/fairness";
import { Access } from "@canvass/proto/access";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { setTimeout as delay } from "node:timers/promises";
import { callFailureOf, type CallFailure } from "./call-failure.ts";
import type { ObserveCall } from "./call-metrics.ts";
import type { Callee } from "./callee.ts";
import { startClientSpan } from "./client-span.ts";
import { longestCallMs, maxMessageBytes } from "./message-limits.ts";
import { metadataNames } from "./metadata-names.ts";
import { accessOf } from "./method-access.ts";
import type { Sessions } from "./sessions.ts";

export interface RpcTransportOptions {
  url: string;
  sessions: Sessions;
  callee: Pick<Callee, "begin">;
  observe?: ObserveCall | undefined;
  /** Both keys are sent only to methods that require them. */
  peerKey?: string | undefined;
  operatorKey?: string | undefined;
  requestId?: string | undefined;
  defaultTimeoutMs: number;
}

/** Milliseconds before the second, third and fourth attempt. The second may go to another replica. */
const retryAfterMs = [0, 50, 150];

/** Speaks the Connect protocol. A failed call rejects with an AppError, or with what the input of an upload threw. */
export function createRpcTransport(options: RpcTransportOptions): Transport {
  const { url, sessions, callee, observe, defaultTimeoutMs } = options;
  const connect = createConnectTransport({
    baseUrl: url,
    httpVersion: "2",
    sessionManager: sessions,
    acceptCompression: [],
    readMaxBytes: maxMessageBytes,
    writeMaxBytes: maxMessageBytes,
  });

  /** Calls `attempt` again if that is safe and may help. A stream is repeated until its first message. */
  async function retrying<T>(
    call: { method: DescMethod; endsAt: number; signal: AbortSignal | undefined },
    attempt: () => Promise<T>,
  ): Promise<T> {
    const isRead = call.method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
    for (const waitMs of retryAfterMs) {
      try {
        return await attempt();
      } catch (error) {
        const { repeatable } = failureOf(error);
        const mayRepeat = repeatable === "always" || (isRead && repeatable === "reads");
        if (!mayRepeat || call.signal?.aborted || performance.now() + waitMs >= call.endsAt) throw error;
        await delay(waitMs);
      }
    }
    return attempt();
  }

  return {
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      const metadata = metadataFor(header, method, options);
      const callMs = Math.min(timeoutMs ?? defaultTimeoutMs, longestCallMs);
      const end = callee.begin(callMs);
      const started = performance.now();
      const span = startClientSpan(method, metadata);
      try {
        const response = await retrying({ method, endsAt: started + callMs, signal }, () => {
          // Connect takes 0 as no deadline.
          const leftMs = Math.max(Math.ceil(started + callMs - performance.now()), 1);
          return connect.unary(method, signal, leftMs, metadata, input, contextValues);
        });
        end(signal?.aborted ? "cancelled" : undefined);
        observe?.(method, performance.now() - started);
        span?.end();
        return response;
      } catch (error) {
        observe?.(method, performance.now() - started, error);
        const failure = failureOf(error);
        end(signal?.aborted ? "cancelled" : failure);
        span?.end(failure.error.code);
        throw failure.error;
      }
    },

    /** The deadline applies to the first message. Uploads have none: their handler limits the time. */
    async stream(method, signal, timeoutMs, header, input, contextValues) {
      // A defect of the calling code, so not an AppError.
      if (method.methodKind === "bidi_streaming") {
        throw new ConnectError("this transport carries no streams both ways", Code.Unimplemented);
      }
      const firstWithinMs = Math.min(timeoutMs ?? defaultTimeoutMs, longestCallMs);
      const end = callee.begin(firstWithinMs);
      const started = performance.now();
      const endsAt = started + firstWithinMs;
      const metadata = metadataFor(header, method, options);
      let inputFailure: unknown;
      const open = async (requests: typeof input) => {
        const call = openCall(signal, method, Math.max(Math.ceil(endsAt - performance.now()), 0));
        const watched = watchInput(requests, call.cancel);
        try {
          const response = await connect.stream(method, call.signal, undefined, metadata, watched.input, contextValues);
          return { ...response, message: await beginReading(response.message, call.cancel) };
        } catch (error) {
          call.cancel();
          inputFailure = watched.failure;
          throw error;
        } finally {
          call.begun();
          void watched.end();
        }
      };
      try {
        const response =
          method.methodKind === "server_streaming"
            ? await retrying({ method, endsAt, signal }, await openWithSame(input, open))
            : await open(input);
        end();
        observe?.(method, performance.now() - started);
        return response;
      } catch (error) {
        observe?.(method, performance.now() - started, error);
        const failure = failureOf(error);
        end(signal?.aborted ? "cancelled" : failure);
        throw inputFailure ?? failure.error;
      }
    },
  };
}

/** Returns a call of `open` with the requests of `input`, which can be repeated. */
async function openWithSame<Request, Result>(
  input: AsyncIterable<Request>,
  open: (requests: AsyncIterable<Request>) => Promise<Result>,
): Promise<() => Promise<Result>> {
  const requests = await Array.fromAsync(input);
  async function* all(): AsyncGenerator<Request> {
    yield* requests;
  }
  return () => open(all());
}

/** A signal that also ends the call if its first message is late. */
function openCall(signal: AbortSignal | undefined, { methodKind }: DescMethodStreaming, firstWithinMs: number) {
  const controller = new AbortController();
  const leave = () => controller.abort(new ConnectError("the caller left", Code.Canceled));
  if (signal?.aborted) leave();
  signal?.addEventListener("abort", leave, { once: true });
  const late = () => controller.abort(new ConnectError("the first message is late", Code.DeadlineExceeded));
  const timer = methodKind === "server_streaming" ? setTimeout(late, firstWithinMs) : undefined;
  return {
    signal: controller.signal,
    begun: () => clearTimeout(timer),
    cancel: () => {
      signal?.removeEventListener("abort", leave);
      leave();
    },
  };
}

/** Remembers the error of the input, so that the caller gets it rather than the cancelled call. */
function watchInput<T>(input: AsyncIterable<T>, cancel: () => void) {
  const requests = input[Symbol.asyncIterator]();
  const watched = {
    failure: undefined as unknown,
    input: { [Symbol.asyncIterator]: () => ({ next, return: end, throw: leave }) },
    /** Not awaited by callers: the input may still be producing its next request. */
    end,
  };
  async function next(): Promise<IteratorResult<T>> {
    try {
      return await requests.next();
    } catch (error) {
      watched.failure = error;
      cancel();
      throw error;
    }
  }
  /** Connect throws the failure of the call into the input. */
  async function leave(reason: unknown): Promise<IteratorResult<T>> {
    void end();
    throw reason;
  }
  async function end(): Promise<IteratorResult<T>> {
    await Promise.resolve(requests.return?.()).catch(() => undefined);
    return { done: true, value: undefined };
  }
  return watched;
}

/** Waits for the first message. Messages that arrived together are spread over several turns of the event loop. */
async function beginReading<T>(messages: AsyncIterable<T>, cancel: () => void): Promise<AsyncIterable<T>> {
  const iterator = messages[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* read(): AsyncGenerator<T> {
    const yieldIfDue = createYielder();
    try {
      for (let next = first; !next.done; next = await iterator.next()) {
        yield next.value;
        await yieldIfDue();
      }
    } catch (error) {
      throw failureOf(error).error;
    } finally {
      // No effect once the call has ended.
      cancel();
    }
  }
  return begunWith(read(), cancel);
}

/** Cancels the call on `return`: a generator that has not begun would not run its `finally`. */
function begunWith<T>(messages: AsyncGenerator<T>, cancel: () => void): AsyncIterable<T> {
  const iterator: AsyncIterator<T> = {
    next: () => messages.next(),
    return: async (value?: unknown) => {
      cancel();
      return messages.return(value);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

type HeadersInit = ConstructorParameters<typeof Headers>[0];

function metadataFor(
  header: HeadersInit | undefined,
  method: DescMethod,
  { requestId, peerKey, operatorKey }: RpcTransportOptions,
): Record<string, string> {
  const metadata: Record<string, string> = { ...plain(header) };
  if (requestId) metadata[metadataNames.requestId] ??= requestId;
  const proof = accessOf(method).access;
  if (proof === Access.PEER && peerKey) metadata[metadataNames.peer] = peerKey;
  if (proof === Access.OPERATOR && operatorKey) metadata[metadataNames.operator] = operatorKey;
  return metadata;
}

// Avoids `Headers` where possible: creating them is slow.
function plain(header: HeadersInit | undefined): Record<string, string> {
  if (header === undefined || Array.isArray(header) || header instanceof Headers) {
    return Object.fromEntries(new Headers(header));
  }
  return header as Record<string, string>;
}

function failureOf(error: unknown): CallFailure {
  return callFailureOf(ConnectError.from(error, Code.Internal));
}
