import { once } from "node:events";
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** `before` is called before the gateway gets a request; `after` when it has answered, before the command gets that. */
export interface Fault {
  on: (request: { method: string; path: string }) => boolean;
  before?: () => unknown;
  after?: () => unknown;
  /** Cuts the connection: the request is not passed on, or its response is not. */
  cut?: "before" | "after";
}

/** A proxy between a command and the gateway, with one fault at a time: it happens once. */
export async function startCuttingProxy(
  target: string,
): Promise<AsyncDisposable & { url: string; set(fault: Fault): void; token: string | undefined }> {
  let fault: Fault | undefined;
  const proxy = { url: "", set: (next: Fault) => void (fault = next), token: undefined as string | undefined };
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = "", url: path = "" } = request;
    const mine = fault?.on({ method, path }) ? fault : undefined;
    if (mine) fault = undefined;
    await mine?.before?.();
    if (mine?.cut === "before") return void response.destroy();
    const headers = { ...request.headers, ...(proxy.token && { authorization: `Bearer ${proxy.token}` }) };
    const upstream = send(new URL(path, target), { method, headers, agent: false });
    upstream.end(body);
    const [answer] = (await once(upstream, "response")) as [IncomingMessage];
    const content = await buffer(answer);
    await mine?.after?.();
    if (mine?.cut === "after") return void response.destroy();
    response.writeHead(answer.statusCode!, answer.headers).end(content);
  }
  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()));
  await once(server.listen(0, "127.0.0.1"), "listening");
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(proxy, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  });
}
