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
    let status = "OK";
    try {
      return await next(request);
    } catch (error) {
      status = Code[ConnectError.from(error).code] ?? "Unknown";
      throw error;
    } finally {
      duration.observe({ rpc_method: method, rpc_response_status_code: status }, (performance.now() - started) / 1000);
    }
  };
}
