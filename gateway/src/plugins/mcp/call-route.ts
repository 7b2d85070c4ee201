import type { FastifyInstance, FastifyRequest } from "fastify";
import { request as sendRequest, type IncomingMessage } from "node:http";
import { duplexPair } from "node:stream";
import type { RouteRequest } from "./request-of.ts";

export interface RouteResponse {
  status: number;
  headers: IncomingMessage["headers"];
  /** Undefined if it is longer than the limit. */
  text: string | undefined;
}

export interface CallOptions {
  /** Headers of the caller's request that go along. */
  passedOn: readonly string[];
  signal: AbortSignal;
  mostBytes: number;
}

/**
 * Calls a route of this gateway on behalf of a request, over a connection in memory, so that the call meets all checks,
 * limits and logs of a call from outside. Rejects when the signal aborts; then the route sees its caller disconnect.
 */
export async function callRoute(
  app: FastifyInstance,
  caller: FastifyRequest,
  { method, path, headers, body }: RouteRequest,
  { passedOn, signal, mostBytes }: CallOptions,
): Promise<RouteResponse> {
  const [near, far] = duplexPair();
  near.once("close", () => far.destroy());
  app.server.emit("connection", Object.assign(far, { remoteAddress: caller.socket.remoteAddress }));
  const sent = sendRequest({
    createConnection: () => near,
    method,
    path,
    headers: { ...headersFrom(caller, passedOn), ...headers },
    signal,
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("error", reject).once("response", resolve).end(body);
  });
  const text = await readText(response, mostBytes);
  return { status: response.statusCode!, headers: response.headers, text };
}

function headersFrom({ headers, id, trace }: FastifyRequest, names: readonly string[]): Record<string, string> {
  const traceparent = trace?.traceparent ?? headers["traceparent"];
  const passed = names.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]]] : []));
  return {
    ...Object.fromEntries(passed),
    host: headers.host ?? "localhost",
    "x-request-id": id,
    ...(typeof traceparent === "string" && { traceparent }),
  };
}

/** Stops reading, and so the route's work, beyond the limit. */
async function readText(response: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
