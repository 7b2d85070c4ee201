import type { Logger } from "../logger.ts";
import { useTracer } from "./tracer.ts";
import type { TracingConfig } from "./tracing-environment.ts";

const LAST_EXPORT_MS = 1_000;

/** Loads OpenTelemetry only if a collector is configured. Disposing exports the rest and gives up after a second. */
export async function startTracing(
  config: TracingConfig,
  { service, log }: { service: string; log: Logger },
): Promise<AsyncDisposable | undefined> {
  const { OTEL_SDK_DISABLED: disabled, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  if (disabled === "true" || endpoint === undefined) return undefined;
  const { createOpenTelemetry } = await import("./open-telemetry.ts");
  const { tracer, shutdown } = createOpenTelemetry({ config, endpoint, service, log });
  useTracer(tracer);
  return {
    async [Symbol.asyncDispose]() {
      useTracer(null);
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, LAST_EXPORT_MS);
      await Promise.race([shutdown(), late]);
      clearTimeout(timer);
    },
  };
}
