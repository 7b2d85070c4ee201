import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  type Message,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext, Interceptor, UnaryResponse } from "@connectrpc/connect";
import type { UnaryCall } from "./unary-call.ts";

export interface UnaryMethod {
  method: DescMethodUnary;
  /** Calls the implementation behind all interceptors. */
  run: (call: UnaryCall) => Promise<UnaryResponse>;
}

type Implementation = (request: unknown, context: HandlerContext) => Promise<MessageInitShape<DescMessage>>;

/** A router that passes everything on and keeps the unary methods by their paths. */
export function keepUnaryMethods(
  router: ConnectRouter,
  interceptors: readonly Interceptor[],
  kept: Map<string, UnaryMethod>,
): ConnectRouter {
  const keeping: ConnectRouter = {
    handlers: router.handlers,
    rpc: (...given) => router.rpc(...given),
    service(service: DescService, implementation, options) {
      const implementations = implementation as Record<string, Implementation | undefined>;
      for (const method of service.methods.filter(isUnary)) {
        const implemented = implementations[method.localName]?.bind(implementation);
        if (!implemented) continue;
        kept.set(`/${service.typeName}/${method.name}`, {
          method,
          run: intercepted(method, implemented, interceptors),
        });
      }
      router.service(service, implementation, options);
      return keeping;
    },
  };
  return keeping;
}

const isUnary = (method: DescMethod): method is DescMethodUnary => method.methodKind === "unary";

function intercepted(
  method: DescMethodUnary,
  implementation: Implementation,
  interceptors: readonly Interceptor[],
): UnaryMethod["run"] {
  const invoke = async (call: UnaryCall): Promise<UnaryResponse> =>
    new ImplementationAnswer(call, create(method.output, await implementation(call.message, call)));
  return interceptors.reduceRight((next, interceptor) => interceptor(next as never) as never, invoke);
}

class ImplementationAnswer implements UnaryResponse {
  readonly stream = false;
  readonly message: Message;
  readonly #call: UnaryCall;

  constructor(call: UnaryCall, message: Message) {
    this.#call = call;
    this.message = message;
  }

  get service() {
    return this.method.parent;
  }

  get method() {
    return this.#call.method;
  }

  get header() {
    return this.#call.responseHeader;
  }

  get trailer() {
    return this.#call.responseTrailer;
  }
}
