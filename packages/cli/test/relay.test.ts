import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { relayMessages } from "../src/mcp/relay-messages.ts";
import { httpTransport } from "../src/mcp/http-transport.ts";

test("calls under way when the network goes say that they may have written; later ones say so only if they were sent", async () => {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { id, method } = JSON.parse(await text(request)) as { id: number; method: string };
    const result = `data: ${JSON.stringify({ jsonrpc: "2.0", id, result: {} })}\n\n`;
    if (method === "cut before") return void request.socket.destroy();
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (method === "cut within") return void response.write(": begun\n\n", () => request.socket.destroy());
    response.end(result);
  };
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [client, near] = InMemoryTransport.createLinkedPair();
  const stop = new AbortController();
  const ended = relayMessages(near, httpTransport({ url, token: "cvs_live_x" }), { stop: stop.signal, note: () => {} });
  await client.start();
  const call = async (id: number, method: string) => {
    const answered = Promise.withResolvers<JSONRPCMessage>();
    Object.assign(client, { onmessage: answered.resolve });
    await client.send({ jsonrpc: "2.0", id, method, params: {} });
    return await answered.promise;
  };
  const failure = (message: RegExp) => ({
    error: { message: expect.stringMatching(message), data: { code: "connection_failed" } },
  });
  expect(await call(1, "cut before")).toMatchObject(failure(/carried out: look before/));
  expect(await call(2, "cut within")).toMatchObject(failure(/carried out: look before/));
  expect(await call(3, "whole")).toMatchObject({ id: 3, result: {} });
  server.close().closeAllConnections();
  expect(await call(4, "whole")).toMatchObject(failure(/not reached \(.*ECONNREFUSED.*repeat the call/));
  stop.abort();
  await ended;
});
