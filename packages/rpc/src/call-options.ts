import { decodeBinaryHeader, encodeBinaryHeader, type CallOptions } from "@connectrpc/connect";
import { IdempotencySchema, ReplaySchema, type Idempotency, type Replay } from "@canvass/proto/rpc";
import { metadataNames } from "./metadata-names.ts";

export interface CallContext {
  /** Signed by the token service; absent for calls between processes. */
  signedCaller?: string | undefined;
  requestId?: string | undefined;
  clientAddress?: string | undefined;
  traceparent?: string | undefined;
  idempotency?: Idempotency | undefined;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called if the response is one that was stored under the idempotency key. */
  onReplay?: (replay: Replay) => void;
}

export function callOptions(context: CallContext): CallOptions {
  const headers: Record<string, string> = {};
  if (context.signedCaller) headers[metadataNames.caller] = context.signedCaller;
  if (context.requestId) headers[metadataNames.requestId] = context.requestId;
  if (context.clientAddress) headers[metadataNames.clientAddress] = context.clientAddress;
  if (context.traceparent) headers[metadataNames.traceparent] = context.traceparent;
  if (context.idempotency) {
    headers[metadataNames.idempotency] = encodeBinaryHeader(context.idempotency, IdempotencySchema);
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
