import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ContextValues,
  type HandlerContext,
  type StreamRequest,
  type UnaryRequest,
} from "@connectrpc/connect";
import type { IncomingHttpHeaders } from "node:http2";

/**
 * A call as interceptors and the implementation see it. Cheaper than Connect's own request and context: one object, whose
 * signal and headers are made when somebody asks for them.
 */
export class UnaryCall implements UnaryRequest, HandlerContext {
  readonly stream = false;
  readonly requestMethod = "POST";
  readonly protocolName = "grpc";
  readonly method: DescMethodUnary;
  readonly message: Message;
  readonly contextValues: ContextValues;
  readonly #received: IncomingHttpHeaders;
  readonly #endsAt: number | undefined;
  #header: Headers | undefined;
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;
  #controller: AbortController | undefined;
  #reason: ConnectError | undefined;

  constructor(
    method: DescMethodUnary,
    message: Message,
    headers: IncomingHttpHeaders,
    contextValues: ContextValues,
    timeoutMs: number | undefined,
  ) {
    this.method = method;
    this.message = message;
    this.#received = headers;
    this.contextValues = contextValues;
    this.#endsAt = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
  }

  get service() {
    return this.method.parent;
  }

  get url(): string {
    return `/${this.method.parent.typeName}/${this.method.name}`;
  }

  /** The same as `header.get(name)`. */
  metadata(name: string): string | undefined {
    const value = this.#received[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  get header(): Headers {
    return (this.#header ??= toHeaders(this.#received));
  }

  get requestHeader(): Headers {
    return this.header;
  }

  get responseHeader(): Headers {
    return (this.#responseHeader ??= new Headers());
  }

  get responseTrailer(): Headers {
    return (this.#responseTrailer ??= new Headers());
  }

  /** undefined when nothing was set. */
  get answeredHeader(): Headers | undefined {
    return this.#responseHeader;
  }

  get values(): ContextValues {
    return this.contextValues;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  timeoutMs = (): number | undefined =>
    this.#endsAt === undefined ? undefined : Math.max(0, this.#endsAt - performance.now());

  /** Tells the implementation that nobody waits any more. */
  abort(code: Code.DeadlineExceeded | Code.Canceled): void {
    this.#reason ??= new ConnectError("nobody waits for the answer any more", code);
    this.#controller?.abort(this.#reason);
  }
}

/** A name of a call's metadata; of a unary call without making Headers. */
export function metadataOf(call: UnaryRequest | StreamRequest | HandlerContext, name: string): string | undefined {
  if (call instanceof UnaryCall) return call.metadata(name);
  return ("header" in call ? call.header : call.requestHeader).get(name) ?? undefined;
}

function toHeaders(received: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const name in received) {
    const value = received[name];
    if (name.startsWith(":") || value === undefined) continue;
    headers.set(name, typeof value === "string" ? value : value.join(", "));
  }
  return headers;
}
