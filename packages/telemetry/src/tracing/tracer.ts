import type { Span, SpanAttributes, SpanKind, Trace } from "./span.ts";

export interface Tracer {
  /** `received`: the `traceparent` of an external request. Decides on sampling. */
  begin(received: string | undefined, name: string): Trace | undefined;
  start(parent: string, kind: SpanKind, name: string, attributes: SpanAttributes): Span | undefined;
}

let tracer: Tracer | null = null;

export function useTracer(used: Tracer | null): void {
  tracer = used;
}

/** Continues a well-formed `traceparent`, but decides on sampling itself, so that a caller cannot force it. */
export function startTrace(received: string | undefined, name: string): Trace | undefined {
  return tracer === null ? undefined : tracer.begin(received, name);
}

export function isTracing(): boolean {
  return tracer !== null;
}

/** Whether spans below this parent are recorded. Check it before computing the attributes of a span. */
export function isTraced(parent: string | undefined): parent is string {
  return tracer !== null && parent !== undefined && parent.endsWith("-01");
}

export function startSpan(
  parent: string | undefined,
  kind: SpanKind,
  name: string,
  attributes: SpanAttributes,
): Span | undefined {
  return isTraced(parent) ? tracer!.start(parent, kind, name, attributes) : undefined;
}

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

/** Like `inSpan` for a batch: one span below each traced parent. `work` gets the span that stands for a parent. */
export async function inSpans<Result>(
  parents: readonly string[],
  [kind, name, attributes]: readonly [SpanKind, string, SpanAttributes],
  work: (spanBelow: (parent: string) => string) => Promise<Result>,
): Promise<Result> {
  const spans = new Map<string, Span>();
  for (const parent of isTracing() ? new Set(parents) : []) {
    const span = startSpan(parent, kind, name, { ...attributes, "db.operation.batch.size": parents.length });
    if (span) spans.set(parent, span);
  }
  const end = (error?: string) => spans.forEach((span) => span.end(error));
  try {
    const result = await work((parent) => spans.get(parent)?.traceparent ?? parent);
    end();
    return result;
  } catch (error) {
    end(errorType(error));
    throw error;
  }
}

export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : error.name;
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice("00-".length, "00-".length + 32);
}

export function traceField(traceparent: string | undefined): { trace_id?: string } {
  return tracer !== null && traceparent ? { trace_id: traceIdOf(traceparent) } : {};
}
