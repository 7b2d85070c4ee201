export { ConfigError } from "./config-error.ts";
export { defineSettings, type ConfigOf, type Settings, type Variable } from "./define-settings.ts";
export { registerProcessMetrics } from "./register-process-metrics.ts";
export { LONGEST_BLOCK_MS, watchEventLoop } from "./event-loop-blocks.ts";
export { Counter, Gauge, Histogram } from "./instruments.ts";
export { createLogger, logLevelOf, type Logger } from "./logger.ts";
export { measuredGauge, type Sample } from "./measured-gauge.ts";
export { createMetrics } from "./metrics.ts";
export { runChecks, startOpsServer, type Checks } from "./ops-server.ts";
export type { Registry } from "prom-client";
export { processEnvironment, readConfig, serviceEnvironment, type ConfigRule } from "./read-config.ts";
export { runProcess } from "./run-process.ts";
export { giveUpAfter, lazy, singleFlight } from "./single-flight.ts";
export { startTracing } from "./tracing/start-tracing.ts";
export type { Span, Trace } from "./tracing/span.ts";
export {
  startTrace,
  errorType,
  inSpan,
  inSpans,
  isTraced,
  isTracing,
  startSpan,
  traceField,
} from "./tracing/tracer.ts";
export { tracingEnvironment } from "./tracing/tracing-environment.ts";
