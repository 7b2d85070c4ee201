import type { Dispatcher } from "undici";
import { READ_BYTES, type Connection } from "./connections.ts";
import { KEPT_BYTES } from "./response-text.ts";

export interface WebhookRequest {
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Exchange {
  /** connecting: nothing was written; sent: without a status line; answered: with one. */
  reached: "connecting" | "sent" | "answered";
  statusCode: number | undefined;
  /** The first 256 bytes of the answer. */
  body: Uint8Array;
  timedOut: boolean;
  error: Error | undefined;
  /** Whether the answer ended, so that the connection is reusable. */
  complete: boolean;
}

/**
 * Sends one request and reads at most 64 KiB of its answer within `timeoutMs`, after connecting within `connectMs`.
 * Never rejects. Discard the connection unless the exchange is complete.
 */
export function exchange(
  { client }: Connection,
  request: WebhookRequest,
  timeoutMs: number,
  connectMs: number = timeoutMs,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let reached: Exchange["reached"] = "connecting";
    let statusCode: number | undefined;
    const kept: Buffer[] = [];
    let read = 0;
    const outOfTime = () => end({ timedOut: true });
    const timer = setTimeout(outOfTime, timeoutMs);
    const connecting = connectMs < timeoutMs ? setTimeout(outOfTime, connectMs) : undefined;

    function end({ complete = false, timedOut = false, error }: Partial<Exchange>): void {
      clearTimeout(timer);
      clearTimeout(connecting);
      const body = kept.length === 1 ? kept[0]! : Buffer.concat(kept);
      resolve({ reached, statusCode, body, timedOut, error, complete });
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {
        reached = "sent";
        clearTimeout(connecting);
      },
      onResponseStart: (_controller, status) => {
        // A 1xx answer precedes the final one.
        if (status < 200) return;
        reached = "answered";
        statusCode = status;
      },
      onResponseData: (_controller, chunk) => {
        if (read < KEPT_BYTES) kept.push(Buffer.from(chunk.subarray(0, KEPT_BYTES - read)));
        read += chunk.length;
        if (read > READ_BYTES) end({});
      },
      onResponseEnd: () => end({ complete: true }),
      onResponseError: (_controller, error) => end({ error }),
    };
    try {
      client.dispatch({ ...request, method: "POST" }, handler);
    } catch (error) {
      end({ error: error as Error });
    }
  });
}
