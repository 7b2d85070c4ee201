import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

export type Headers = Record<string, string>;
export type Event = { type: string; timestamp: string; data: Record<string, unknown> };

/** What a receiver does otherwise than the right one. */
export interface Behaviour {
  read?: (request: AsyncIterable<Buffer>, headers: Headers) => Promise<Buffer>;
  /** Throws for what it refuses. */
  verify?: (body: string, headers: Headers) => unknown;
  /** Answers what is verified. */
  answer?: (event: Event, headers: Headers, response: ServerResponse) => unknown;
  /** Answers what is not. */
  refuse?: (response: ServerResponse) => unknown;
  /** Follows a request that breaks off. */
  broken?: (server: ReturnType<typeof createServer>) => void;
  /** Ends the time for the sender's answers. Default: it does not end. */
  timeUp?: AbortController;
  /** Certificate and key of an https server. */
  tls?: { key: string; cert: string };
}

export const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
export const webhook = new Webhook(secret);

/** Starts a receiver on a free port of loopback. By default it verifies with standardwebhooks and answers 204. */
export async function startReceiver(behaviour: Behaviour = {}): Promise<AsyncDisposable & { url: URL }> {
  const {
    read = buffer,
    verify = (body, headers) => webhook.verify(body, headers),
    answer = (_event, _headers, response) => response.writeHead(204).end(),
    refuse = (response) => response.writeHead(400).end("No matching signature found"),
    broken = () => {},
    tls,
  } = behaviour;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = plain(request.headers);
    let body: string;
    try {
      body = (await read(request, headers)).toString();
    } catch {
      return broken(server);
    }
    let event: Event;
    try {
      event = verify(body, headers) as Event;
    } catch {
      return void refuse(response);
    }
    await answer(event, headers, response);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => void serve(request, response);
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`${tls ? "https" : "http"}://127.0.0.1:${port}/hook`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      if (server.listening) await once(server.close(), "close");
    },
  };
}

const plain = (headers: IncomingHttpHeaders): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
