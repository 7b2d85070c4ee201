import { decodeBinaryHeader, encodeBinaryHeader, createContextKey, type HandlerContext } from "@connectrpc/connect";
import { AppError } from "@canvass/errors";
import type { Caller } from "@canvass/proto/access";
import { IdempotencySchema, ReplaySchema, type Idempotency, type Replay } from "@canvass/proto/rpc";
import { traceField, type Logger } from "@canvass/telemetry";
import { metadataNames } from "./metadata-names.ts";

/** A keyed digest of a body's hash, bound to its owner. Without the key nobody can find the body by guessing. */
export type MacBody = (owner: readonly string[], bodySha256: Uint8Array) => Uint8Array;

export interface Call {
  /** The verified caller, for methods of `ACCESS_CALLER`. Throws if there is none. */
  readonly caller: Caller;
  /** To pass on to other services. */
  readonly signedCaller: string | undefined;
  readonly idempotency: Idempotency | undefined;
  /** For records of idempotency keys. Throws in a process that has no key for it. */
  readonly macBody: MacBody;
  readonly requestId: string;
  /** The API caller's IP address as the gateway saw it; may be empty. */
  readonly clientAddress: string;
  /** IP address at the other end of the connection; empty if it is closed. */
  readonly peerAddress: string;
  /** The parent for spans of this call. */
  readonly traceparent: string | undefined;
  /** Aborted at the deadline, or when the caller leaves. */
  readonly signal: AbortSignal;
  /** Milliseconds until the caller's deadline; undefined without one. */
  readonly timeoutMs: number | undefined;
  readonly log: Logger;
  /**
   * Runs `work` without the permit of the workspace, so that its further calls begin meanwhile, then takes one again.
   * For work that is long, holds no database connection of the process, and has its own fair share
   * (`packages/fairness`).
   */
  withoutPermit<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Marks the response as one that was stored under the idempotency key. */
  replayed(replay: Replay): void;
}

export const callerKey = createContextKey<Caller | undefined>(undefined);
export const peerAddressKey = createContextKey("");
export const macBodyKey = createContextKey<MacBody | undefined>(undefined);
export const traceparentKey = createContextKey<string | undefined>(undefined);
export type WithoutPermit = <Result>(work: () => Promise<Result>) => Promise<Result>;
export const withoutPermitKey = createContextKey<WithoutPermit>((work) => work());
export const loggerKey = createContextKey<Logger | undefined>(undefined);

/** A class, since V8 is slow at creating object literals with getters. */
class HandledCall implements Call {
  readonly signedCaller: string | undefined;
  readonly requestId: string;
  readonly clientAddress: string;
  readonly peerAddress: string;
  readonly traceparent: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly #context: HandlerContext;

  constructor(context: HandlerContext) {
    this.#context = context;
    const { requestHeader, values } = context;
    this.signedCaller = requestHeader.get(metadataNames.caller) ?? undefined;
    this.requestId = requestHeader.get(metadataNames.requestId) ?? "";
    this.clientAddress = requestHeader.get(metadataNames.clientAddress) ?? "";
    this.peerAddress = values.get(peerAddressKey);
    this.traceparent = values.get(traceparentKey) ?? requestHeader.get(metadataNames.traceparent) ?? undefined;
    this.timeoutMs = context.timeoutMs();
  }

  get caller() {
    const caller = this.#context.values.get(callerKey);
    if (!caller) throw new AppError("unauthorized");
    return caller;
  }

  get idempotency() {
    const encoded = this.#context.requestHeader.get(metadataNames.idempotency);
    return encoded ? decodeBinaryHeader(encoded, IdempotencySchema) : undefined;
  }

  get macBody() {
    const macBody = this.#context.values.get(macBodyKey);
    if (!macBody) throw new Error("this process has no key for the bodies of idempotent requests");
    return macBody;
  }

  get signal() {
    return this.#context.signal;
  }

  get log() {
    return this.#context.values.get(loggerKey)!.child({ requestId: this.requestId, ...traceField(this.traceparent) });
  }

  withoutPermit<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#context.values.get(withoutPermitKey)(work);
  }

  replayed(replay: Replay): void {
    this.#context.responseHeader.set(metadataNames.replay, encodeBinaryHeader(replay, ReplaySchema));
  }
}

/** Adapts an RPC to the signature of a Connect handler. */
export function bind<Context, Request, Response>(
  context: Context,
  rpc: (context: Context, request: Request, call: Call) => Promise<Response>,
): (request: Request, handlerContext: HandlerContext) => Promise<Response> {
  return (request, handlerContext) => rpc(context, request, new HandledCall(handlerContext));
}

/** For server streaming. Connect ends the generator when the reader leaves. */
export function bindStream<Context, Request, Response>(
  context: Context,
  rpc: (context: Context, request: Request, call: Call) => AsyncGenerator<Response>,
): (request: Request, handlerContext: HandlerContext) => AsyncIterable<Response> {
  return (request, handlerContext) => rpc(context, request, new HandledCall(handlerContext));
}
