import { create, toBinary } from "@bufbuild/protobuf";
import { GetTokenRequestSchema } from "@canvass/proto/token";
import { Code } from "@connectrpc/connect";
import { once } from "node:events";
import { connect, type ClientHttp2Stream, type IncomingHttpHeaders } from "node:http2";
import { expect, test } from "vitest";
import { frameOf } from "./grpc-frame.ts";
import { signedCaller, startTokenServer } from "./token-server.ts";

const mebi = 1024 * 1024;
const echo = { getToken: async ({ tokenId }: { tokenId: string }) => ({ token: { name: tokenId.slice(0, 9) } }) };

const unary = { "content-type": "application/grpc" };
const connectJson = { "content-type": "application/json", "connect-protocol-version": "1" };

const message = (letters: number) => create(GetTokenRequestSchema, { tokenId: "x".repeat(letters) });
const grpcBody = (letters: number) => frameOf(toBinary(GetTokenRequestSchema, message(letters)));
const jsonBody = (letters: number) => Buffer.from(JSON.stringify({ tokenId: message(letters).tokenId }));

function openSession(url: string) {
  const session = connect(url);
  const begin = (headers: IncomingHttpHeaders): ClientHttp2Stream => {
    const stream = session.request({
      ":method": "POST",
      ":path": "/canvass.token.v1.TokenService/GetToken",
      te: "trailers",
      "canvass-caller": signedCaller,
      ...headers,
    });
    return stream.on("error", () => undefined);
  };
  return { session, begin, [Symbol.dispose]: () => session.destroy() };
}

/** The status of gRPC, else that of HTTP; undefined for a stream that was reset. */
async function statusOf(stream: ClientHttp2Stream): Promise<number | undefined> {
  let status: number | undefined;
  stream.on("response", (headers) => (status = headers[":status"]));
  stream.on("trailers", ({ "grpc-status": grpcStatus }) => (status = Number(grpcStatus)));
  stream.resume();
  if (!stream.closed) await once(stream, "close").catch(() => undefined);
  return status;
}

test.each([
  ["gRPC", unary, Code.Unauthenticated],
  ["gRPC with JSON", { "content-type": "application/grpc+json" }, Code.Unauthenticated],
  ["Connect", connectJson, 401],
])("a caller without the method's proof is refused before its body arrives: %s", async (_protocol, headers, status) => {
  await using server = await startTokenServer(echo);
  using client = openSession(server.url);
  const stream = client.begin({ ...headers, "canvass-caller": "nobody" });
  const refused = statusOf(stream);
  await once(stream, "response");
  stream.end();
  expect(await refused).toBe(status);
});

test.each([
  ["gRPC", unary, grpcBody, 0],
  ["Connect", connectJson, jsonBody, 200],
])("bodies that do not end are bounded together, and small ones go on: %s", async (...given) => {
  const [, headers, bodyOf, fine] = given;
  await using server = await startTokenServer(echo, { maxReceivedBytes: 4 * mebi });
  using client = openSession(server.url);
  const ask = (letters: number) => {
    const stream = client.begin(headers);
    stream.end(bodyOf(letters));
    return statusOf(stream);
  };
  const unfinished = client.begin(headers);
  await new Promise((sent) => unfinished.write(bodyOf(2 * mebi).subarray(0, 2 * mebi), sent));

  expect(await ask(mebi)).toBe(undefined);
  expect(await ask(1024)).toBe(fine);
  const left = once(unfinished, "close");
  unfinished.destroy();
  await left;
  expect(await ask(mebi)).toBe(fine);
  expect(await ask(mebi)).toBe(fine);
});

test.each([
  ["gRPC", unary],
  ["Connect", connectJson],
])("a body that does not end is waited for as long as a call may take: %s", async (_protocol, headers) => {
  await using server = await startTokenServer(echo, { maxTimeoutMs: 50 });
  using client = openSession(server.url);
  const unfinished = client.begin(headers);
  unfinished.write("{");
  if (!unfinished.closed) await once(unfinished, "close");
  // A busy machine may need longer than that for a call.
  const next = () => {
    const stream = client.begin(unary);
    stream.end(grpcBody(1));
    return statusOf(stream);
  };
  await expect.poll(next).toBe(0);
});

test("a large health request is refused, and a session has a bounded number of streams", async () => {
  await using server = await startTokenServer(echo);
  using client = openSession(server.url);
  const probe = client.begin({ ...connectJson, ":path": "/grpc.health.v1.Health/Check" });
  probe.end(JSON.stringify({ service: "x".repeat(5000) }));
  expect(await statusOf(probe)).toBe(429);
  expect(client.session.remoteSettings.maxConcurrentStreams).toBe(1000);
});
