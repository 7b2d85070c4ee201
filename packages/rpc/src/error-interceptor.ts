import { AppError } from "@canvass/errors";
import type { Logger } from "@canvass/telemetry";
import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { toConnectError } from "./error-conversion.ts";
import { metadataNames } from "./metadata-names.ts";

/** Names errors of the outside world (a database that is down) in terms of the catalogue. */
export type RecogniseError = (error: unknown) => AppError | undefined;

/**
 * Turns what a handler throws into a failed call with a typed detail, also while its stream is read. Whatever is neither
 * an AppError nor recognised is a defect: logged with its stack, hidden from the caller.
 */
export function errorInterceptor(log: Logger, recognise: RecogniseError): Interceptor {
  return (next) => async (request) => {
    const toFailedCall = (thrown: unknown): ConnectError => {
      if (thrown instanceof AppError) return toConnectError(thrown);
      // Connect's own refusals (unreadable message, passed deadline) are already in their final form.
      if (thrown instanceof ConnectError) return thrown;
      const context = { method: request.method.name, requestId: request.header.get(metadataNames.requestId) };
      const recognised = recognise(thrown);
      if (recognised) log.warn({ ...context, err: thrown }, recognised.code);
      else log.error({ ...context, err: thrown }, "an RPC failed unexpectedly");
      return toConnectError(recognised ?? new AppError("internal_error"));
    };
    try {
      const response = await next(request);
      if (!response.stream) return response;
      const message = converting(endedBy(request.signal, response.message), toFailedCall);
      return { ...response, message };
    } catch (thrown) {
      throw toFailedCall(thrown);
    }
  };
}

async function* converting<T>(messages: AsyncIterable<T>, convert: (thrown: unknown) => ConnectError) {
  try {
    yield* messages;
  } catch (thrown) {
    throw convert(thrown);
  }
}

/** Ends a stream when its reader leaves: while a message is held back, Connect waits for that reader for ever. */
function endedBy<T>(signal: AbortSignal, messages: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = messages[Symbol.asyncIterator]();
  const end = () => void iterator.return?.();
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return { [Symbol.asyncIterator]: () => iterator };
}
