import { AppError } from "@canvass/errors";
import type { Logger } from "@canvass/telemetry";
import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { toConnectError } from "./error-conversion.ts";
import { isCutOff } from "./is-cut-off.ts";
import { metadataNames } from "./metadata-names.ts";

/** Maps foreign errors, such as those of a database that is down, to the catalogue. */
export type RecognizeError = (error: unknown) => AppError | undefined;

/** Converts errors of a handler or its stream to failed calls with a typed detail. Hides and logs defects. */
export function errorInterceptor(log: Logger, recognize: RecognizeError): Interceptor {
  return (next) => async (request) => {
    const toFailedCall = (thrown: unknown): ConnectError => {
      if (thrown instanceof AppError) return toConnectError(thrown);
      if (thrown instanceof ConnectError) return thrown;
      const context = { method: request.method.name, requestId: request.header.get(metadataNames.requestId) };
      const recognized = recognize(thrown);
      // Work that only stopped because the caller left is no defect.
      const hasLeft = request.signal.aborted && isCutOff(thrown);
      if (recognized) log.warn({ ...context, err: thrown }, recognized.code);
      else if (hasLeft) log.debug({ ...context, err: thrown }, "the caller of an RPC left");
      else log.error({ ...context, err: thrown }, "an RPC failed unexpectedly");
      return toConnectError(recognized ?? new AppError("internal_error"));
    };
    try {
      const response = await next(request);
      if (!response.stream) return response;
      const message = convertStream(request.signal, response.message, toFailedCall);
      return { ...response, message };
    } catch (thrown) {
      throw toFailedCall(thrown);
    }
  };
}

/** Converts a stream's failures. Ends the stream when its reader leaves: Connect would wait for the reader forever. */
function convertStream<T>(
  signal: AbortSignal,
  messages: AsyncIterable<T>,
  convert: (thrown: unknown) => ConnectError,
): AsyncIterable<T> {
  const iterator = messages[Symbol.asyncIterator]();
  const failed = (thrown: unknown): never => {
    throw convert(thrown);
  };
  const end = async () => (await iterator.return?.().catch(failed)) ?? { done: true as const, value: undefined };
  const leave = () => void end().catch(() => undefined);
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  const converted: AsyncIterator<T> = {
    next: () => iterator.next().catch(failed),
    return: end,
    // The reason comes from the reader, so it is no failure of the stream.
    throw: async (reason) => {
      await end();
      throw reason;
    },
  };
  return { [Symbol.asyncIterator]: () => converted };
}
