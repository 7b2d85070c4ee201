import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type ContextValues, type HandlerContext, type UnaryRequest } from "@connectrpc/connect";
import type { IncomingHttpHeaders } from "node:http2";

/**
 * A call as interceptors and the implementation see it. Cheaper than Connect's own request and context: one object, whose
 * signal is made when somebody asks for it.
 */
export class UnaryCall implements UnaryRequest, HandlerContext {
  readonly stream = false;
  readonly requestMethod = "POST";
  readonly protocolName = "grpc";
  readonly responseHeader = new Headers();
  readonly responseTrailer = new Headers();
  readonly header: Headers;
  readonly method: DescMethodUnary;
  readonly message: Message;
  readonly contextValues: ContextValues;
  readonly #endsAt: number | undefined;
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
    this.header = toHeaders(headers);
    this.contextValues = contextValues;
    this.#endsAt = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
  }

  get service() {
    return this.method.parent;
  }

  get url(): string {
    return `/${this.method.parent.typeName}/${this.method.name}`;
  }

  get requestHeader(): Headers {
    return this.header;
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

function toHeaders(received: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const name in received) {
    const value = received[name];
    if (name.startsWith(":") || value === undefined) continue;
    headers.set(name, typeof value === "string" ? value : value.join(", "));
  }
  return headers;
}
