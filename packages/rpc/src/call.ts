import { decodeBinaryHeader, encodeBinaryHeader, createContextKey, type HandlerContext } from "@connectrpc/connect";
import { AppError } from "@canvass/errors";
import type { Caller } from "@canvass/proto/access";
import { IdempotencySchema, ReplaySchema, type Idempotency, type Replay } from "@canvass/proto/rpc";
import type { Logger } from "@canvass/telemetry";
import { metadataNames } from "./metadata-names.ts";

/** What a handler knows about the call it serves, besides the request message. */
export interface Call {
  /** The verified person; for methods of `ACCESS_CALLER`. Throws when there is none. */
  readonly caller: Caller;
  /** As it came, to be passed on when this service calls another on the person's behalf. */
  readonly signedCaller: string | undefined;
  readonly idempotency: Idempotency | undefined;
  readonly requestId: string;
  /** IP address the API caller speaks from, as the gateway saw it; empty when there is none. */
  readonly clientAddress: string;
  /** IP address of whoever opened the connection, as the operating system tells it; empty when it is gone already. */
  readonly peerAddress: string;
  readonly traceparent: string | undefined;
  /** Ends with the caller's deadline or interest. */
  readonly signal: AbortSignal;
  /** Milliseconds left until the caller's deadline; undefined without one. */
  readonly timeoutMs: number | undefined;
  readonly log: Logger;
  /** Says that this answer was given before. */
  replayed(replay: Replay): void;
}

export const callerKey = createContextKey<Caller | undefined>(undefined);
export const peerAddressKey = createContextKey("");
export const loggerKey = createContextKey<Logger | undefined>(undefined);

function callOf(context: HandlerContext): Call {
  const header = context.requestHeader;
  const requestId = header.get(metadataNames.requestId) ?? "";
  return {
    get caller() {
      const caller = context.values.get(callerKey);
      if (!caller) throw new AppError("unauthorized");
      return caller;
    },
    signedCaller: header.get(metadataNames.caller) ?? undefined,
    get idempotency() {
      const encoded = header.get(metadataNames.idempotency);
      return encoded ? decodeBinaryHeader(encoded, IdempotencySchema) : undefined;
    },
    requestId,
    clientAddress: header.get(metadataNames.clientAddress) ?? "",
    peerAddress: context.values.get(peerAddressKey),
    traceparent: header.get(metadataNames.traceparent) ?? undefined,
    signal: context.signal,
    timeoutMs: context.timeoutMs(),
    get log() {
      return context.values.get(loggerKey)!.child({ requestId });
    },
    replayed: (replay) => context.responseHeader.set(metadataNames.replay, encodeBinaryHeader(replay, ReplaySchema)),
  };
}

/** Binds an RPC written as a plain function to the service's context, in the form Connect registers. */
export function bind<Context, Request, Response>(
  context: Context,
  rpc: (context: Context, request: Request, call: Call) => Promise<Response>,
): (request: Request, handlerContext: HandlerContext) => Promise<Response> {
  return (request, handlerContext) => rpc(context, request, callOf(handlerContext));
}

/** The same for an RPC that answers with a stream. When its reader leaves, the generator is ended where it stands. */
export function bindStream<Context, Request, Response>(
  context: Context,
  rpc: (context: Context, request: Request, call: Call) => AsyncGenerator<Response>,
): (request: Request, handlerContext: HandlerContext) => AsyncIterable<Response> {
  return (request, handlerContext) => rpc(context, request, callOf(handlerContext));
}
