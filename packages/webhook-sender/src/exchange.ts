import { request as openRequest } from "node:https";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Connections, Target } from "./connections.ts";

/** Limit of the headers, and of the body (contract 8.8). */
const READ_BYTES = 64 * 1024;
/** Limit of the chunks of a response: 64 KiB that come byte by byte take up to half a second of the processor. */
const READ_CHUNKS = 1024;
/** Bytes of the body that are stored (contract 8.8). */
const KEPT_BYTES = 256;

export interface WebhookRequest {
  headers: Record<string, string>;
  body: string;
}

export interface Exchange {
  /** sent: the request was written; heard: bytes arrived, but no status line; answered: a status line arrived. */
  reached: "connecting" | "sent" | "heard" | "answered";
  reused: boolean;
  statusCode: number | undefined;
  /** The start of it, as it is stored. */
  body: string;
  timedOut: boolean;
  error: Error | undefined;
}

/**
 * Reads at most 64 KiB of headers and of body, in at most 1,024 chunks. `timeoutMs` includes connecting, which takes at
 * most `connectMs`. Never rejects.
 */
export function exchange(
  connections: Connections,
  target: Target,
  { headers, body }: WebhookRequest,
  timeoutMs: number,
  connectMs: number = timeoutMs,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let reached: Exchange["reached"] = "connecting";
    let statusCode: number | undefined;
    let request: ClientRequest | undefined;
    const kept: Buffer[] = [];
    let read = 0;
    let stopWatching = () => {};
    const outOfTime = () => end({ timedOut: true });
    const timer = setTimeout(outOfTime, timeoutMs);
    const connecting = connectMs < timeoutMs ? setTimeout(outOfTime, connectMs) : undefined;

    function end({ timedOut = false, error }: Partial<Exchange> = {}): void {
      clearTimeout(timer);
      clearTimeout(connecting);
      stopWatching();
      request?.destroy();
      const reused = request?.reusedSocket ?? false;
      resolve({ reached, reused, statusCode, body: responseText(Buffer.concat(kept)), timedOut, error });
    }

    // Only the status line counts, even if the parser rejects the rest of the response (contract 8.8).
    function watchResponse({ socket }: ClientRequest): void {
      const readStatus = createStatusLineReader();
      let chunks = 0;
      let heard = 0;
      function watch(chunk: Buffer): void {
        chunks += 1;
        if (statusCode === undefined) {
          statusCode = readStatus(chunk);
          reached = statusCode === undefined ? "heard" : "answered";
          heard += chunk.length;
        }
        if (chunks > READ_CHUNKS || (statusCode === undefined && heard > READ_BYTES)) end();
      }
      socket!.prependListener("data", watch);
      stopWatching = () => socket!.off("data", watch);
    }

    function readBody(response: IncomingMessage): void {
      response.on("data", (chunk: Buffer) => {
        if (read < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - read));
        read += chunk.length;
        if (read > READ_BYTES) end();
      });
      response.once("end", end);
      response.on("error", (error) => end({ error }));
    }

    try {
      const { url } = target;
      request = openRequest({
        ...connections.optionsFor(target),
        method: "POST",
        path: url.pathname + url.search,
        headers: { host: url.host, ...headers },
        maxHeaderSize: READ_BYTES,
      });
      request.once("socket", () => {
        reached = "sent";
        clearTimeout(connecting);
        watchResponse(request!);
      });
      request.once("response", readBody);
      request.on("error", (error) => end({ error }));
      request.end(body);
    } catch (error) {
      end({ error: error as Error });
    }
  });
}

const STATUS_LINE = /^HTTP\/\d(?:\.\d)? (\d{3})(?: .*)?\r?$/;

/** The reader takes chunks and returns the final response's status. Skips interim responses (RFC 9110, 15.2). */
export function createStatusLineReader(): (chunk: Buffer) => number | undefined {
  let rest = "";
  let expected: "status line" | "header" | "nothing" = "status line";
  return (chunk) => {
    const lines = `${rest}${chunk.toString("latin1")}`.split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const isBlank = line === "" || line === "\r";
      if (expected === "header" && isBlank) expected = "status line";
      else if (expected === "status line" && !isBlank) {
        const status = Number(STATUS_LINE.exec(line)?.[1]);
        if (status >= 200) return status;
        expected = status >= 100 ? "header" : "nothing";
      }
    }
    return undefined;
  };
}

const createDecoder = () => new TextDecoder("utf-8", { ignoreBOM: true });
const whole = createDecoder();

/** Returns the start of a body, storable: invalid UTF-8 and NUL become U+FFFD, a cut character is dropped. */
export function responseText(body: Uint8Array): string {
  // A streaming decoder omits an incomplete character and stores it for later, so it cannot be reused.
  const text =
    body.length < KEPT_BYTES
      ? whole.decode(body)
      : createDecoder().decode(body.subarray(0, KEPT_BYTES), { stream: true });
  return text.replaceAll("\0", "\uFFFD");
}
