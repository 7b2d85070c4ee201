import type { Span, SpanAttributes, SpanKind, Trace } from "./span.ts";

/** What open-telemetry.ts brings when tracing is on. */
export interface Tracer {
  /** Of a request from outside: `received` is its `traceparent`. Decides whether the trace is sampled. */
  begin(received: string | undefined, name: string): Trace | undefined;
  /** undefined for what is no traceparent. */
  start(parent: string, kind: SpanKind, name: string, attributes: SpanAttributes): Span | undefined;
}

/** Null: tracing is off. */
let tracer: Tracer | null = null;

export function useTracer(used: Tracer | null): void {
  tracer = used;
}

/**
 * Begins the trace of a request from outside; undefined where there is none. A well-formed `traceparent` is continued, but
 * only we decide whether the trace is sampled, so that a caller cannot force it.
 */
export function beginTrace(received: string | undefined, name: string): Trace | undefined {
  return tracer === null ? undefined : tracer.begin(received, name);
}

/** Ask before work that only spans need. */
export function isTracing(): boolean {
  return tracer !== null;
}

/** Whether what has this parent is recorded. Ask before the attributes of a span are made. */
export function isTraced(parent: string | undefined): parent is string {
  return tracer !== null && parent !== undefined && parent.endsWith("-01");
}

/** Starts a span below a parent; undefined when that is not traced. */
export function startSpan(
  parent: string | undefined,
  kind: SpanKind,
  name: string,
  attributes: SpanAttributes,
): Span | undefined {
  return isTraced(parent) ? tracer!.start(parent, kind, name, attributes) : undefined;
}

/** Runs work in a span, and passes it the parent of what it causes. */
export async function inSpan<Result>(
  parent: string | undefined,
  [kind, name, attributes]: readonly [SpanKind, string, SpanAttributes],
  work: (traceparent: string | undefined) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(parent, kind, name, attributes);
  if (!span) return work(parent);
  try {
    const result = await work(span.traceparent);
    span.end();
    return result;
  } catch (error) {
    span.end(errorType(error));
    throw error;
  }
}

/** The code of an error, or else its class. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : error.name;
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice("00-".length, "00-".length + 32);
}

/** `trace_id` for a line of the log, where there is a trace. */
export function traceField(traceparent: string | undefined): { trace_id?: string } {
  return tracer !== null && traceparent ? { trace_id: traceIdOf(traceparent) } : {};
}
