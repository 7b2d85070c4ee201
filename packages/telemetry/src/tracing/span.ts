export type SpanKind = "server" | "client" | "producer" | "consumer";

/** Named as in OpenTelemetry's semantic conventions. Never a secret, an address, a body or a query value. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface Span {
  /** This span as the parent of others (W3C Trace Context). */
  readonly traceparent: string;
  set(name: string, value: string | number): void;
  /** `errorType`: the kind of failure, of low cardinality. Absent on success. */
  end(errorType?: string): void;
}

export interface Trace {
  readonly traceparent: string;
  /** Undefined: the caller named a trace, but it is not sampled here. */
  readonly span: Span | undefined;
}
