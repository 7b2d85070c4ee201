import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createCanvass, type Canvass, type CanvassOptions } from "../src/index.ts";

export interface Seen {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface Served extends AsyncDisposable {
  url: string;
  canvass: Canvass;
  /** The requests so far. */
  seen: Seen[];
}

/** Starts an HTTP server that answers as a test wants, and a client of it. */
export async function serve(
  answer: (response: ServerResponse, seen: Seen, number: number) => void,
  options: Partial<CanvassOptions> = {},
): Promise<Served> {
  const seen: Seen[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname: path, searchParams: query } = new URL(request.url!, "http://server");
    const body = await text(request);
    seen.push({ method: request.method!, path, query, headers: request.headers, body });
    answer(response, seen.at(-1)!, seen.length);
  };
  const server = createServer((request, response) => void take(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    seen,
    canvass: createCanvass({ url, token: "cvs_test_x", ...options }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

const meta = { timestamp: "2026-11-26T00:00:00.000Z", version: "1.0", requestId: "r-1" };

const sendJson = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) =>
  void response
    .writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
    .end(JSON.stringify(body));

export const succeed = (response: ServerResponse, data: unknown, etag?: string) =>
  sendJson(response, 200, { success: true, data, meta: { ...meta, ...(etag !== undefined && { etag }) } });

export const sendPage = (response: ServerResponse, data: unknown[], cursor: string | null, hasMore: boolean) =>
  sendJson(response, 200, { success: true, data, pagination: { cursor_next: cursor, hasMore }, meta });

export const failureOf = (code: string, retryable: boolean, details: object = {}) => ({
  success: false,
  error: { code, message: `It is ${code}.`, suggestion: "Do.", retryable, details },
  meta,
});

export const refuse = (
  response: ServerResponse,
  status: number,
  code: string,
  { retryable = false, ...headers }: { retryable?: boolean } & Record<string, string | boolean> = {},
) => sendJson(response, status, failureOf(code, retryable), headers as Record<string, string>);
