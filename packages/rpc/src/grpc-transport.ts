import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type MessageShape,
} from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { Access } from "@canvass/proto/access";
import { Code, ConnectError, type Transport, type UnaryResponse } from "@connectrpc/connect";
import { Metadata, type Client, type ServiceError } from "@grpc/grpc-js";
import { callFailure, type CallFailure } from "./call-failure.ts";
import type { Callee } from "./callee.ts";
import { openStream } from "./grpc-stream.ts";
import { metadataNames } from "./metadata-names.ts";
import { accessOf } from "./method-access.ts";

export interface GrpcTransportOptions {
  connection: { readonly channel: Client };
  callee: Pick<Callee, "begin">;
  /** Sent only to methods that ask for it. */
  peerKey?: string | undefined;
  operatorKey?: string | undefined;
  /** For calls without one. */
  requestId?: string | undefined;
  /** For calls without a deadline. */
  defaultTimeoutMs: number;
}

/**
 * A Connect transport over a grpc-js channel: the channel brings round robin, keep-alive and retries, Connect the typed
 * client. Every failure is an AppError.
 */
export function createGrpcTransport(options: GrpcTransportOptions): Transport {
  return {
    unary: (method, signal, timeoutMs, header, input) =>
      new Promise((resolve, reject) => {
        const callMs = timeoutMs ?? options.defaultTimeoutMs;
        const end = options.callee.begin(callMs);
        const metadata = toMetadata(header);
        addRequestId(metadata, options);
        addProof(metadata, method, options);
        let received: Metadata | undefined;
        const call = options.connection.channel.makeUnaryRequest(
          `/${method.parent.typeName}/${method.name}`,
          (message: MessageShape<typeof method.input>) => asBuffer(toBinary(method.input, message)),
          (bytes: Buffer) => fromBinary(method.output, bytes),
          create(method.input, input),
          metadata,
          { deadline: Date.now() + callMs },
          (error: ServiceError | null, message) => {
            signal?.removeEventListener("abort", abort);
            const failure = error ? callFailure(error) : undefined;
            end(signal?.aborted ? "cancelled" : failure);
            if (failure) reject(failure.error);
            else resolve(unaryResponse(method, received, message as MessageShape<typeof method.output>));
          },
        );
        const abort = () => call.cancel();
        signal?.addEventListener("abort", abort);
        call.on("metadata", (metadata: Metadata) => (received = metadata));
      }),
    stream: async (method, signal, timeoutMs, header, input) => {
      // A defect of the calling code, so it is no AppError.
      if (method.methodKind !== "server_streaming") {
        throw new ConnectError("this transport carries no streams of requests", Code.Unimplemented);
      }
      const metadata = toMetadata(header);
      addRequestId(metadata, options);
      addProof(metadata, method, options);
      const { channel } = options.connection;
      const firstWithinMs = timeoutMs ?? options.defaultTimeoutMs;
      const end = options.callee.begin(firstWithinMs);
      let failure: CallFailure | undefined;
      const toAppError = (error: ServiceError): AppError => (failure = callFailure(error)).error;
      try {
        const opened = await openStream({ channel, method, metadata, input, signal, firstWithinMs, toAppError });
        end();
        return opened;
      } catch (error) {
        if (isLate(error)) failure = { error, kind: "unanswered" };
        end(signal?.aborted ? "cancelled" : failure);
        throw error;
      }
    },
  };
}

function isLate(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "deadline_exceeded";
}

function addRequestId(metadata: Metadata, { requestId }: GrpcTransportOptions): void {
  if (requestId && metadata.get(metadataNames.requestId).length === 0) metadata.set(metadataNames.requestId, requestId);
}

function addProof(metadata: Metadata, method: DescMethod, { peerKey, operatorKey }: GrpcTransportOptions): void {
  const proof = accessOf(method).access;
  if (proof === Access.PEER && peerKey) metadata.set(metadataNames.peer, peerKey);
  if (proof === Access.OPERATOR && operatorKey) metadata.set(metadataNames.operator, operatorKey);
}

function unaryResponse<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  received: Metadata | undefined,
  message: MessageShape<O>,
): UnaryResponse<I, O> {
  return {
    stream: false,
    service: method.parent,
    method,
    message,
    // Few callers look at them.
    get header() {
      return toHeaders(received);
    },
    get trailer() {
      return new Headers();
    },
  };
}

function toMetadata(header: ConstructorParameters<typeof Headers>[0]): Metadata {
  const metadata = new Metadata();
  if (!header) return metadata;
  for (const [name, value] of header instanceof Headers ? header : new Headers(header)) {
    metadata.set(name, name.endsWith("-bin") ? Buffer.from(value, "base64") : value);
  }
  return metadata;
}

function toHeaders(metadata: Metadata | undefined): Headers {
  const header = new Headers();
  for (const [name, value] of Object.entries(metadata?.getMap() ?? {})) {
    header.set(name, typeof value === "string" ? value : value.toString("base64"));
  }
  return header;
}

// A view on the same memory: grpc-js wants a Buffer, protobuf gives a plain Uint8Array.
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
