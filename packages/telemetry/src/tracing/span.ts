export type SpanKind = "server" | "client" | "producer" | "consumer";

/** By the semantic conventions of OpenTelemetry. Never a secret, an address, a body or a value of a query. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A span that is recorded. */
export interface Span {
  /** Names this span as the parent of what it causes (W3C Trace Context). */
  readonly traceparent: string;
  set(name: string, value: string | number): void;
  /** `errorType`: the kind of failure, one of a few; absent: it went well. */
  end(errorType?: string): void;
}

/** Where a request belongs. */
export interface Trace {
  /** For what it causes. */
  readonly traceparent: string;
  /** undefined: the trace is not sampled here, but its caller named one. */
  readonly span: Span | undefined;
}
