import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace, type Span as SdkSpan } from "@opentelemetry/api";
import { parseTraceParent, ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider, type SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "../logger.ts";
import { createSampling } from "./sampling.ts";
import type { Span } from "./span.ts";
import type { Tracer } from "./tracer.ts";
import type { TracingConfig } from "./tracing-environment.ts";

export interface OpenTelemetryOptions {
  config: TracingConfig;
  /** Without `/v1/traces`. */
  endpoint: string;
  service: string;
  log: Logger;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** Maximum number of spans that wait for export; further ones are dropped. */
const MOST_WAITING = 2_048;
/** Spans per export. Encoding them takes a few milliseconds. */
const MOST_EXPORTED = 256;
const EXPORT_EVERY_MS = 1_000;
const EXPORT_TIMEOUT_MS = 10_000;

/** Implements Tracer with the SDK. Only start-tracing.ts imports it, lazily. `shutdown` never rejects. */
export function createOpenTelemetry({ config, endpoint, service, log }: OpenTelemetryOptions): {
  tracer: Tracer;
  shutdown: () => Promise<void>;
} {
  const own = resourceFromAttributes({ "service.name": config.OTEL_SERVICE_NAME ?? service });
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, "")}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
    // A stop exports everything at once. This also bounds exports to a collector that never finishes its responses.
    concurrencyLimit: MOST_WAITING / MOST_EXPORTED + 1,
  });
  const processor = new BatchSpanProcessor({
    exporter: reportFailures(exporter, log),
    maxQueueSize: MOST_WAITING,
    maxExportBatchSize: MOST_EXPORTED,
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: detectResources({ detectors: [envDetector] }).merge(own),
    // Unsampled traces create no SDK spans.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [processor],
  });
  const sdk = provider.getTracer("canvass");
  const isSampled = createSampling(config);

  const begin: Tracer["begin"] = (received, name) => {
    const parent = received === undefined ? null : parseTraceParent(received);
    if (isSampled()) {
      const context = parent ? below({ ...parent, traceFlags: TraceFlags.SAMPLED }) : ROOT_CONTEXT;
      const span = new RecordedSpan(sdk.startSpan(name, { kind: SpanKind.SERVER }, context));
      return { traceparent: span.traceparent, span };
    }
    return parent ? { traceparent: `00-${parent.traceId}-${parent.spanId}-00`, span: undefined } : undefined;
  };
  const start: Tracer["start"] = (parent, kind, name, attributes) => {
    const parsed = parseTraceParent(parent);
    return parsed ? new RecordedSpan(sdk.startSpan(name, { kind: kinds[kind], attributes }, below(parsed))) : undefined;
  };
  return { tracer: { begin, start }, shutdown: () => provider.shutdown().catch(() => undefined) };
}

function below(parent: NonNullable<ReturnType<typeof parseTraceParent>>) {
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

class RecordedSpan implements Span {
  readonly traceparent: string;
  readonly #span: SdkSpan;

  constructor(span: SdkSpan) {
    const { traceId, spanId } = span.spanContext();
    this.traceparent = `00-${traceId}-${spanId}-01`;
    this.#span = span;
  }

  set(name: string, value: string | number): void {
    this.#span.setAttribute(name, value);
  }

  end(errorType?: string): void {
    if (errorType !== undefined) {
      this.#span.setAttribute("error.type", errorType);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

function reportFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) {
          log.warn({ err: result.error, spans: spans.length }, "spans could not be exported and are lost");
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush!() }),
  };
}
