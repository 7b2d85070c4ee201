export { collectStartupGarbage } from "./collect-startup-garbage.ts";
export { ConfigError } from "./config-error.ts";
export { defineSettings, type ConfigOf, type Settings, type Variable } from "./define-settings.ts";
export { describeProcess, type ProcessDescription } from "./describe-process.ts";
export { LONGEST_HOLD_MS, watchEventLoop } from "./event-loop-holds.ts";
export { Counter, Gauge, Histogram } from "./instruments.ts";
export { createLogger, logLevelOf, type Logger, type LoggerOptions } from "./logger.ts";
export { measuredGauge, type MeasuredGaugeOptions, type Sample } from "./measured-gauge.ts";
export { createMetrics, metricsEnvironment } from "./metrics.ts";
export { runChecks, startOpsServer, type Checks, type OpsServer, type OpsServerOptions } from "./ops-server.ts";
export type { Registry } from "prom-client";
export { processEnvironment, readConfig, serviceEnvironment, type ConfigRule } from "./read-config.ts";
export { runProcess } from "./run-process.ts";
export { GivenUp, giveUpAfter, lazy, singleFlight } from "./single-flight.ts";
export { startTracing } from "./tracing/start-tracing.ts";
export type { Span, Trace } from "./tracing/span.ts";
export {
  beginTrace,
  errorType,
  inSpan,
  isTraced,
  isTracing,
  startSpan,
  traceField,
  traceIdOf,
} from "./tracing/tracer.ts";
export { tracingEnvironment, type TracingConfig } from "./tracing/tracing-environment.ts";
