import { AppError } from "@canvass/errors";
import type { Logger } from "@canvass/telemetry";
import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { toConnectError } from "./error-conversion.ts";
import { metadataNames } from "./metadata-names.ts";

/** Names errors of the outside world (a database that is down) in terms of the catalogue. */
export type RecogniseError = (error: unknown) => AppError | undefined;

/**
 * Turns what a handler throws into a failed call with a typed detail. Whatever is neither an AppError nor recognised
 * is a defect: logged with its stack, hidden from the caller.
 */
export function errorInterceptor(log: Logger, recognise: RecogniseError): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (thrown) {
      if (thrown instanceof AppError) throw toConnectError(thrown);
      // Connect's own refusals (unreadable message, passed deadline) are already in their final form.
      if (thrown instanceof ConnectError) throw thrown;
      const context = { method: request.method.name, requestId: request.header.get(metadataNames.requestId) };
      const recognised = recognise(thrown);
      if (recognised) log.warn({ ...context, err: thrown }, recognised.code);
      else log.error({ ...context, err: thrown }, "an RPC failed unexpectedly");
      throw toConnectError(recognised ?? new AppError("internal_error"));
    }
  };
}
