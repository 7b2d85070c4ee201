import { TokenService } from "@canvass/proto/token";
import { AppError } from "@canvass/errors";
import { connect, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { callOptions, createRpcClient } from "../src/index.ts";
import { codeOf, signedCaller, startTokenServer } from "./token-server.ts";

/** An HTTP/2 proxy that knows nothing of RPC, as a mesh puts one between processes. */
async function startProxy(targetUrl: string) {
  const seen: [method: string, path: string, status: number][] = [];
  const target = connect(targetUrl);
  const server = createServer();
  server.on("stream", (near: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const far = target.request(headers);
    near.pipe(far);
    far.on("response", (response) => {
      seen.push([headers[":method"]!, headers[":path"]!, response[":status"]!]);
      near.respond(response);
      far.pipe(near);
    });
    for (const stream of [near, far]) stream.on("error", () => undefined);
    near.on("close", () => far.close());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      target.destroy();
      server.close();
    },
  };
}

test("a proxy that knows only HTTP/2 passes every call on, and sees its method and how it ended", async () => {
  await using server = await startTokenServer({
    listTokens: async () => ({ tokens: [{ name: "through" }] }),
    getToken: async () => {
      throw new AppError("token_not_found");
    },
  });
  await using proxy = await startProxy(server.url);
  await using client = createRpcClient(TokenService, { url: proxy.url });
  const options = callOptions({ signedCaller });
  expect((await client.listTokens({}, options)).tokens[0]?.name).toBe("through");
  expect(await codeOf(client.getToken({ tokenId: "x" }, options))).toBe("token_not_found");
  const calls = proxy.seen.filter(([, path]) => !path.startsWith("/grpc.health"));
  expect(calls).toEqual([
    ["POST", "/canvass.token.v1.TokenService/ListTokens", 200],
    ["POST", "/canvass.token.v1.TokenService/GetToken", 404],
  ]);
});
