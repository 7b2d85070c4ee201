import { toBinary, create, fromBinary } from "@bufbuild/protobuf";
import { GetTokenRequestSchema, GetTokenResponseSchema } from "@canvass/proto/token";
import { Code } from "@connectrpc/connect";
import { once } from "node:events";
import { connect, type ClientHttp2Stream, type IncomingHttpHeaders } from "node:http2";
import { expect, test } from "vitest";
import { bind, type Call } from "../src/index.ts";
import { signedCaller, startTokenServer } from "./token-server.ts";

const echo = { getToken: async ({ tokenId }: { tokenId: string }) => ({ token: { name: tokenId } }) };

function frame(message: Uint8Array, flag = 0, length = message.length): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}
const request = frame(toBinary(GetTokenRequestSchema, create(GetTokenRequestSchema, { tokenId: "mine" })));

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
  ["a compressed message", frame(Buffer.from("x"), 1), {}, Code.Unimplemented],
  ["bytes that are no message", frame(Buffer.from([255, 255])), {}, Code.InvalidArgument],
  ["a message beyond the limit", frame(Buffer.alloc(65 * 1024 * 1024)), {}, Code.ResourceExhausted],
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

test("the deadline is answered in time and told to the handler, whether or not it heeds that", async () => {
  const told = Promise.withResolvers<unknown>();
  const never = bind({}, async (_context: object, _request: unknown, { signal }: Call) => {
    signal.addEventListener("abort", () => told.resolve(signal.reason));
    if (signal.aborted) told.resolve(signal.reason);
    return new Promise<never>(() => undefined);
  });
  await using server = await startTokenServer({ getToken: never });
  using session = openSession(server.url);
  const stream = session.begin({ "grpc-timeout": "500m" });
  stream.end(request);
  expect((await answerOf(stream)).status).toBe(Code.DeadlineExceeded);
  expect(await told.promise).toMatchObject({ code: Code.DeadlineExceeded });
});

test("a message that never comes ends with the deadline", async () => {
  await using server = await startTokenServer(echo);
  using session = openSession(server.url);
  const stream = session.begin({ "grpc-timeout": "50m" });
  stream.on("error", () => undefined);
  stream.write(request.subarray(0, 3));
  expect((await answerOf(stream)).status).toBe(Code.DeadlineExceeded);
  if (!stream.closed) await once(stream, "close");
});

test("a stream is closed behind a refusal, however much its client would still send", async () => {
  await using server = await startTokenServer(echo);
  using session = openSession(server.url);
  const stream = session.begin();
  stream.on("error", () => undefined);
  // Too large, and without an end.
  stream.write(frame(Buffer.alloc(65 * 1024 * 1024)));
  expect((await answerOf(stream)).status).toBe(Code.ResourceExhausted);
  if (!stream.closed) await once(stream, "close");
});

test("a caller that leaves is told to the handler", async () => {
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
  expect(await told.promise).toMatchObject({ code: Code.Canceled });
});
