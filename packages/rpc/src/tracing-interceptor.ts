import { Code, ConnectError, type Interceptor, type StreamRequest, type UnaryRequest } from "@connectrpc/connect";
import { isTraced, startSpan } from "@canvass/telemetry";
import { traceparentKey } from "./call.ts";
import { metadataNames } from "./metadata-names.ts";

/** Creates a server span for each traced call. The span of a stream ends when the stream begins. */
export const tracingInterceptor: Interceptor = (next) => (request) => {
  const parent = request.header.get(metadataNames.traceparent) ?? undefined;
  return isTraced(parent) ? inServerSpan(next, request, parent) : next(request);
};

async function inServerSpan(
  next: Parameters<Interceptor>[0],
  request: UnaryRequest | StreamRequest,
  parent: string,
): ReturnType<Parameters<Interceptor>[0]> {
  const method = `${request.service.typeName}/${request.method.name}`;
  const span = startSpan(parent, "server", method, { "rpc.system.name": "connectrpc", "rpc.method": method });
  if (span) request.contextValues.set(traceparentKey, span.traceparent);
  try {
    const response = await next(request);
    span?.end();
    return response;
  } catch (error) {
    span?.end(Code[ConnectError.from(error).code]);
    throw error;
  }
}
