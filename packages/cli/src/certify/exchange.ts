import { request as openHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { request as openHttps } from "node:https";
import type { Socket } from "node:net";
import type { Message } from "../webhooks/sign-message.ts";

/** Bytes of an answer that Canvass reads, and those that it keeps (contract 8.8). */
const READ_BYTES = 64 * 1024;
const KEPT_BYTES = 256;

export interface Receiver {
  url: URL;
  /** Starts the time for connection and answer together; aborts at its end. */
  deadline: () => AbortSignal;
}

/** How far a request came: over TLS, `connection` means that the handshake failed. */
export type Reached = "nothing" | "connection" | "receiver";

export interface Answer {
  /** Undefined without a status line. */
  status: number | undefined;
  reached: Reached;
  /** Why there is no status line: a code such as `ECONNREFUSED`, or `timeout`. */
  failure: string | undefined;
  /** Until the status line, or the failure. */
  ms: number;
  /** The start of the body. */
  text: string;
  /** The body is longer than Canvass reads. */
  isLong: boolean;
}

/** Writes the body and ends the request. */
export type WriteBody = (request: ClientRequest, body: Buffer) => unknown;

const writeWhole: WriteBody = (request, body) => request.end(body);

/** Sends a message over a new connection. Follows no redirect and never rejects. */
export function sendAndReceive(receiver: Receiver, message: Message, write = writeWhole): Promise<Answer> {
  return new Promise((resolve) => {
    const started = performance.now();
    const kept: Buffer[] = [];
    let read = 0;
    let reached: Reached = "nothing";
    let status: number | undefined;
    let ms: number | undefined;
    const body = Buffer.from(message.body);
    const request = openRequest(receiver, message.headers, body.length);
    const deadline = receiver.deadline();
    const timeOut = () => end("timeout");
    deadline.addEventListener("abort", timeOut);

    function end(failure: string): void {
      deadline.removeEventListener("abort", timeOut);
      request.destroy();
      ms ??= Math.round(performance.now() - started);
      const text = new TextDecoder().decode(Buffer.concat(kept).subarray(0, KEPT_BYTES));
      const isLong = read > READ_BYTES;
      resolve({ status, reached, failure: status === undefined ? failure : undefined, ms, text, isLong });
    }

    function readAnswer(response: IncomingMessage): void {
      status = response.statusCode;
      ms = Math.round(performance.now() - started);
      response.on("data", (chunk: Buffer) => {
        if (read < KEPT_BYTES) kept.push(chunk);
        read += chunk.length;
        if (read > READ_BYTES) end("");
      });
    }

    request.on("socket", (socket: Socket) => {
      socket.once("connect", () => (reached = isTls(receiver) ? "connection" : "receiver"));
      socket.once("secureConnect", () => (reached = "receiver"));
    });
    request.on("response", readAnswer);
    request.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    request.on("close", () => end("closed"));
    void write(request, body);
  });
}

export function openRequest(
  { url }: Pick<Receiver, "url">,
  headers: Message["headers"],
  length: number,
): ClientRequest {
  const open = isTls({ url }) ? openHttps : openHttp;
  // Canvass offers to keep connections.
  const sent = { ...headers, connection: "keep-alive", "content-length": length };
  return open(url, { method: "POST", headers: sent, agent: false, minVersion: "TLSv1.2" });
}

const isTls = ({ url }: Pick<Receiver, "url">): boolean => url.protocol === "https:";
