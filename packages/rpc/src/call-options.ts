import { decodeBinaryHeader, encodeBinaryHeader, type CallOptions } from "@connectrpc/connect";
import { IdempotencySchema, ReplaySchema, type Idempotency, type Replay } from "@canvass/proto/rpc";
import { metadataNames } from "./metadata-names.ts";

/** What one call carries besides its request message. */
export interface CallContext {
  /** Signed by the token service; absent for calls between processes. */
  signedCaller?: string | undefined;
  requestId?: string | undefined;
  /** IP address the API caller speaks from, for the audit log. */
  clientAddress?: string | undefined;
  /** W3C trace context. */
  traceparent?: string | undefined;
  idempotency?: Idempotency | undefined;
  /** Milliseconds left for the whole call. Default: the transport's. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called when the answer was given before. */
  onReplay?: (replay: Replay) => void;
}

/** Connect's call options for a context. */
export function callOptions(context: CallContext): CallOptions {
  const headers = new Headers();
  if (context.signedCaller) headers.set(metadataNames.caller, context.signedCaller);
  if (context.requestId) headers.set(metadataNames.requestId, context.requestId);
  if (context.clientAddress) headers.set(metadataNames.clientAddress, context.clientAddress);
  if (context.traceparent) headers.set(metadataNames.traceparent, context.traceparent);
  if (context.idempotency) {
    headers.set(metadataNames.idempotency, encodeBinaryHeader(context.idempotency, IdempotencySchema));
  }
  const options: CallOptions = { headers };
  if (context.timeoutMs !== undefined) options.timeoutMs = context.timeoutMs;
  if (context.signal) options.signal = context.signal;
  const { onReplay } = context;
  if (onReplay) {
    options.onHeader = (received) => {
      const replay = received.get(metadataNames.replay);
      if (replay) onReplay(decodeBinaryHeader(replay, ReplaySchema));
    };
  }
  return options;
}
