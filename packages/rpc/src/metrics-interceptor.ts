import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { Histogram, type Registry } from "@canvass/telemetry";

/** `rpc.server.call.duration` of the OpenTelemetry semantic conventions, in seconds, in Prometheus spelling. */
export function metricsInterceptor(registry: Registry): Interceptor {
  const duration = new Histogram({
    name: "rpc_server_call_duration_seconds",
    help: "Duration of inbound RPCs",
    labelNames: ["rpc_method", "rpc_response_status_code"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return (next) => async (request) => {
    const method = `${request.service.typeName}/${request.method.name}`;
    const started = performance.now();
    const ended = (error?: unknown) => {
      const status = error === undefined ? "OK" : (Code[ConnectError.from(error).code] ?? "Unknown");
      const labels = { rpc_method: method, rpc_response_status_code: status };
      duration.observe(labels, (performance.now() - started) / 1000);
    };
    try {
      const response = await next(request);
      if (response.stream) return { ...response, message: watched(response.message, ended) };
      ended();
      return response;
    } catch (error) {
      ended(error);
      throw error;
    }
  };
}

/** A stream lasts until its last message is read, or its reader leaves. */
async function* watched<T>(messages: AsyncIterable<T>, ended: (error?: unknown) => void): AsyncGenerator<T> {
  let failure: unknown;
  try {
    yield* messages;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    ended(failure);
  }
}
