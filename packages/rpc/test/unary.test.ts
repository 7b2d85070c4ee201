import { toBinary, create, fromBinary } from "@bufbuild/protobuf";
import { GetTokenRequestSchema, GetTokenResponseSchema, TokenService } from "@canvass/proto/token";
import { Code } from "@connectrpc/connect";
import { once } from "node:events";
import { connect, type ClientHttp2Stream, type IncomingHttpHeaders } from "node:http2";
import { expect, test } from "vitest";
import { bind, callOptions, createRpcClient, type Call } from "../src/index.ts";
import { frameOf } from "./grpc-frame.ts";
import { codeOf, signedCaller, startTokenServer } from "./token-server.ts";

const echo = { getToken: async ({ tokenId }: { tokenId: string }) => ({ token: { name: tokenId } }) };

const request = frameOf(toBinary(GetTokenRequestSchema, create(GetTokenRequestSchema, { tokenId: "mine" })));

/** A gRPC client without a library: only what RFC 9113 and gRPC's protocol say. */
function openSession(url: string) {
  const session = connect(url);
  const begin = (headers: IncomingHttpHeaders = {}): ClientHttp2Stream =>
    session.request({
      ":method": "POST",
      ":path": "/canvass.token.v1.TokenService/GetToken",
      "content-type": "application/grpc",
      te: "trailers",
      "canvass-caller": signedCaller,
      ...headers,
    });
  return { begin, [Symbol.dispose]: () => session.destroy() };
}

async function answerOf(stream: ClientHttp2Stream): Promise<{ status: number; body: Buffer }> {
  let trailers: IncomingHttpHeaders = {};
  stream.on("trailers", (received) => (trailers = received));
  const body = Buffer.concat(await stream.toArray());
  return { status: Number(trailers["grpc-status"]), body };
}

test("one message is answered with one, however its bytes arrive", async () => {
  await using server = await startTokenServer(echo);
  using session = openSession(server.url);
  const stream = session.begin();
  for (const byte of request) stream.write(Buffer.from([byte]));
  stream.end();
  const { status, body } = await answerOf(stream);
  expect([status, body[0], body.readUInt32BE(1)]).toEqual([0, 0, body.length - 5]);
  expect(fromBinary(GetTokenResponseSchema, body.subarray(5)).token?.name).toBe("mine");
});

test.each([
  ["no message", Buffer.alloc(0), {}, Code.Unimplemented],
  ["half a prefix", Buffer.alloc(3), {}, Code.InvalidArgument],
  ["half a message", request.subarray(0, -1), {}, Code.InvalidArgument],
  ["two messages", Buffer.concat([request, request]), {}, Code.Unimplemented],
  ["a deadline that is none", request, { "grpc-timeout": "soon" }, Code.InvalidArgument],
  ["a deadline beyond the limit", request, { "grpc-timeout": "9H" }, Code.InvalidArgument],
])("%s is refused, and the connection goes on", async (_what, body, headers, code) => {
  await using server = await startTokenServer(echo);
  using session = openSession(server.url);
  const refused = session.begin(headers);
  // The server may stop reading.
  refused.on("error", () => undefined);
  refused.end(body);
  expect((await answerOf(refused)).status).toBe(code);
  const next = session.begin();
  next.end(request);
  expect((await answerOf(next)).status).toBe(0);
});

test("a call with no time left ends with deadline_exceeded", async () => {
  const waits = bind({}, async (_context: object, _request: unknown, { signal }: Call) => {
    if (!signal.aborted) await once(signal, "abort");
    throw signal.reason;
  });
  await using server = await startTokenServer({ getToken: waits });
  await using client = createRpcClient(TokenService, { url: server.url });
  expect(await codeOf(client.getToken({}, callOptions({ signedCaller, timeoutMs: 0 })))).toBe("deadline_exceeded");
});

test("the handler's signal is aborted at the deadline", async () => {
  const told = Promise.withResolvers<unknown>();
  const waits = bind({}, async (_context: object, _request: unknown, { signal }: Call) => {
    if (!signal.aborted) await once(signal, "abort");
    told.resolve(signal.reason);
    throw signal.reason;
  });
  await using server = await startTokenServer({ getToken: waits });
  using session = openSession(server.url);
  const stream = session.begin({ "grpc-timeout": "500m" });
  stream.end(request);
  expect((await answerOf(stream)).status).toBe(Code.DeadlineExceeded);
  expect(await told.promise).toMatchObject({ code: Code.DeadlineExceeded });
});

test("the handler's signal is aborted when the caller disconnects", async () => {
  const [began, told] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
  const waits = bind({}, async (_context: object, _request: unknown, { signal }: Call) => {
    began.resolve();
    await once(signal, "abort");
    told.resolve(signal.reason);
    return {};
  });
  await using server = await startTokenServer({ getToken: waits });
  using session = openSession(server.url);
  const stream = session.begin();
  stream.on("error", () => undefined);
  stream.end(request);
  await began.promise;
  stream.close();
  expect(await told.promise).toMatchObject({ name: "AbortError" });
});
