import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type MessageShape,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { Access } from "@canvass/proto/access";
import { Code, ConnectError, type Transport, type UnaryResponse } from "@connectrpc/connect";
import type { Client, ServiceError } from "@grpc/grpc-js";
import { callUnary } from "./call-unary.ts";
import { callFailureOf, toConnectError, type CallFailure } from "./call-failure.ts";
import type { ObserveCall } from "./call-metrics.ts";
import type { Callee } from "./callee.ts";
import { startClientSpan } from "./client-span.ts";
import { openStream } from "./grpc-stream.ts";
import { sendStream } from "./grpc-upload.ts";
import { toGrpc } from "./metadata.ts";
import { metadataNames } from "./metadata-names.ts";
import { accessOf } from "./method-access.ts";
import type { Metadata } from "./trunk/frames.ts";
import type { Trunks } from "./trunk/trunks.ts";

export interface GrpcTransportOptions {
  connection: { readonly channel: Client };
  /** For small unary calls. The channel carries all calls if there is no trunk. */
  trunks?: Pick<Trunks, "next" | "tend"> | undefined;
  callee: Pick<Callee, "begin">;
  observe?: ObserveCall | undefined;
  /** Sent only to methods that require it. */
  peerKey?: string | undefined;
  operatorKey?: string | undefined;
  requestId?: string | undefined;
  defaultTimeoutMs: number;
}

/** The channel provides round robin, keep-alive and retries; trunks are fast. Every failure is an AppError. */
export function createGrpcTransport(options: GrpcTransportOptions): Transport {
  return {
    unary: async (method, signal, timeoutMs, header, input) => {
      const callMs = timeoutMs ?? options.defaultTimeoutMs;
      const metadata = metadataFor(header, method, options);
      const end = options.callee.begin(callMs);
      const started = performance.now();
      const span = startClientSpan(method, metadata);
      try {
        const answer = await callUnary(options, {
          path: `/${method.parent.typeName}/${method.name}`,
          header: metadata,
          message: toBinary(method.input, create(method.input, input)),
          timeoutMs: callMs,
          signal: signal ?? undefined,
          mayRepeat: method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS,
        });
        const message = fromBinary(method.output, answer.message);
        end(signal?.aborted ? "cancelled" : undefined);
        options.observe?.(method, performance.now() - started);
        span?.end();
        return new ReceivedResponse(method, answer.header, message);
      } catch (error) {
        options.observe?.(method, performance.now() - started, error);
        const failure = failureOf(error);
        end(signal?.aborted ? "cancelled" : failure);
        span?.end(failure.error.code);
        throw failure.error;
      }
    },
    stream: async (method, signal, timeoutMs, header, input) => {
      // A defect of the calling code, so not an AppError.
      if (method.methodKind === "bidi_streaming") {
        throw new ConnectError("this transport carries no streams both ways", Code.Unimplemented);
      }
      const metadata = toGrpc(metadataFor(header, method, options));
      const { channel } = options.connection;
      const firstWithinMs = timeoutMs ?? options.defaultTimeoutMs;
      const end = options.callee.begin(firstWithinMs);
      const started = performance.now();
      let failure: CallFailure | undefined;
      let refusal: ConnectError | undefined;
      const toAppError = (error: ServiceError): AppError => {
        refusal = toConnectError(error);
        failure = callFailureOf(refusal);
        return failure.error;
      };
      try {
        const call = { channel, metadata, input, signal, toAppError };
        const opened =
          method.methodKind === "client_streaming"
            ? await sendStream({ ...call, method })
            : await openStream({ ...call, method, firstWithinMs });
        end();
        options.observe?.(method, performance.now() - started);
        return opened;
      } catch (error) {
        const late = method.methodKind === "server_streaming" && isLate(error);
        if (late) failure = { error, kind: "unanswered" };
        const cause = late ? new ConnectError(error.message, Code.DeadlineExceeded) : (refusal ?? error);
        options.observe?.(method, performance.now() - started, cause);
        end(signal?.aborted ? "cancelled" : failure);
        throw error;
      }
    },
  };
}

function isLate(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "deadline_exceeded";
}

type HeadersInit = ConstructorParameters<typeof Headers>[0];

function metadataFor(
  header: HeadersInit | undefined,
  method: DescMethod,
  options: GrpcTransportOptions,
): Record<string, string> {
  const { requestId, peerKey, operatorKey } = options;
  const metadata: Record<string, string> = { ...plain(header) };
  if (requestId) metadata[metadataNames.requestId] ??= requestId;
  const proof = accessOf(method).access;
  if (proof === Access.PEER && peerKey) metadata[metadataNames.peer] = peerKey;
  if (proof === Access.OPERATOR && operatorKey) metadata[metadataNames.operator] = operatorKey;
  return metadata;
}

// Avoids `Headers` where possible: creating them is slow.
function plain(header: HeadersInit | undefined): Metadata {
  if (header === undefined || Array.isArray(header) || header instanceof Headers) {
    return Object.fromEntries(new Headers(header));
  }
  return header as Metadata;
}

function failureOf(error: unknown): CallFailure {
  return callFailureOf(ConnectError.from(error, Code.Internal));
}

class ReceivedResponse<I extends DescMessage, O extends DescMessage> implements UnaryResponse<I, O> {
  readonly stream = false;
  readonly method: DescMethodUnary<I, O>;
  readonly message: MessageShape<O>;
  readonly #header: Metadata;

  constructor(method: DescMethodUnary<I, O>, header: Metadata, message: MessageShape<O>) {
    this.method = method;
    this.message = message;
    this.#header = header;
  }

  get service() {
    return this.method.parent;
  }

  get header() {
    return new Headers(this.#header);
  }

  get trailer() {
    return new Headers();
  }
}
