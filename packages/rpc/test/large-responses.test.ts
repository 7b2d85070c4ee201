import { create, toBinary } from "@bufbuild/protobuf";
import type { AppError } from "@canvass/errors";
import { HealthCheckResponseSchema, HealthCheckResponse_ServingStatus as Status } from "@canvass/proto/health";
import { GetTokenRequestSchema, TokenService } from "@canvass/proto/token";
import { connect, constants, createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { callOptions, createRpcClient, type RpcClient } from "../src/index.ts";
import { codeOf, signedCaller, startTokenServer } from "./token-server.ts";

const mebi = 1024 * 1024;

/** `getToken` answers with about as many mebibytes as its id says. */
const sized = {
  getToken: async ({ tokenId }: { tokenId: string }) => ({ token: { name: "x".repeat(Number(tokenId) * mebi) } }),
};

type Client = RpcClient<typeof TokenService>;
const timeoutMs = 60_000;
const ask = (client: Client, mebibytes: number, signal?: AbortSignal) =>
  codeOf(client.getToken({ tokenId: String(mebibytes) }, callOptions({ signedCaller, signal, timeoutMs })));

/**
 * Client and server share this process: on a busy machine small calls wait for the work on large ones, and so do the
 * probes of the circuit. When it opens, it refuses calls without a cause; asks again until it is closed.
 */
async function askOnceClosed(client: Client, mebibytes = 0): Promise<string> {
  const attempt = () => client.getToken({ tokenId: String(mebibytes) }, callOptions({ signedCaller, timeoutMs }));
  for (;;) {
    const outcome = await attempt().then(
      () => "fine",
      ({ code, cause }: AppError) => (code === "service_unavailable" && cause === undefined ? undefined : code),
    );
    if (outcome !== undefined) return outcome;
    await setImmediate();
  }
}

test("many large answers, read or cancelled, make no other call fail", async () => {
  await using server = await startTokenServer(sized);
  await using client = createRpcClient(TokenService, { url: server.url, probeTimeoutMs: 60_000 });
  const done = new AbortController();
  const others = askUntil(done.signal, client);
  await tryLargeAnswers(client).finally(() => done.abort());
  expect(await others).toEqual(new Set(["fine"]));
});

/** Makes small calls, one after the other, until `done`. Returns their distinct outcomes. */
async function askUntil(done: AbortSignal, client: Client): Promise<Set<string>> {
  const outcomes = new Set<string>();
  while (!done.aborted) {
    outcomes.add(await askOnceClosed(client));
    await setImmediate();
  }
  return outcomes;
}

async function tryLargeAnswers(client: Client): Promise<void> {
  const four = await Promise.all(Array.from({ length: 4 }, () => askOnceClosed(client, 13)));
  expect(new Set(four)).toEqual(new Set(["fine"]));
  for (let round = 0; round < 2; round += 1) {
    const leaving = new AbortController();
    const answers = Array.from({ length: 4 }, () => ask(client, 13, leaving.signal));
    // Small calls that end while those are under way: some of their bytes are sent, most are not.
    for (let call = 0; call < 3; call += 1) expect(await askOnceClosed(client)).toBe("fine");
    leaving.abort();
    await Promise.all(answers);
  }
  expect(await askOnceClosed(client, 13)).toBe("fine");
}

const eightMebi = create(GetTokenRequestSchema, { tokenId: "8" });
const grpcFrame = Buffer.concat([Buffer.from([0, 0, 0, 0, 3]), toBinary(GetTokenRequestSchema, eightMebi)]);

test.each([
  [
    "Connect",
    { "content-type": "application/json", "connect-protocol-version": "1" },
    JSON.stringify({ tokenId: "8" }),
  ],
  ["gRPC", { "content-type": "application/grpc" }, grpcFrame],
])(
  "large responses that nobody reads are bounded, small ones go on, and a reader that leaves no longer counts: %s",
  async (...given) => {
    const [, headers, body] = given;
    await using server = await startTokenServer(sized, { maxUnreadBytes: 10 * mebi });
    await using client = createRpcClient(TokenService, { url: server.url, probeTimeoutMs: 60_000 });
    const idle = connect(server.url, { settings: { initialWindowSize: 0 } });
    const unread = idle.request({
      ":method": "POST",
      ":path": "/canvass.token.v1.TokenService/GetToken",
      "canvass-caller": signedCaller,
      ...headers,
    });
    unread.end(body);
    await once(unread, "response");

    expect(await ask(client, 4)).toBe("service_unavailable");
    expect(await ask(client, 1)).toBe("fine");
    expect(await ask(client, 0)).toBe("fine");
    idle.destroy();
    await expect.poll(() => ask(client, 4)).toBe("fine");
  },
);

test("a response larger than a message may be fails with service_unavailable, and the connection goes on", async () => {
  await using server = await startTokenServer(sized);
  await using client = createRpcClient(TokenService, { url: server.url, probeTimeoutMs: 60_000 });
  expect(await ask(client, 65)).toBe("service_unavailable");
  expect(await ask(client, 0)).toBe("fine");
});

const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INTERNAL_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

test.each([
  ["ENHANCE_YOUR_CALM", NGHTTP2_ENHANCE_YOUR_CALM],
  ["INTERNAL_ERROR", NGHTTP2_INTERNAL_ERROR],
  ["REFUSED_STREAM", NGHTTP2_REFUSED_STREAM],
])("a connection that resets streams with %s is left", async (_name, code) => {
  await using server = await startResettingServer(code);
  await using client = createRpcClient(TokenService, { url: server.url, probeTimeoutMs: 60_000 });
  expect(await ask(client, 0)).toBe("service_unavailable");
  await expect.poll(() => ask(client, 0)).toBe("fine");
  expect(server.sessions).toBe(2);
});

/** Resets every stream of its first session, as Node does when a session's memory is used up, and serves the others. */
async function startResettingServer(code: number) {
  let sessions = 0;
  const server: Http2Server = createServer();
  server.on("session", (session) => {
    const serves = (sessions += 1) > 1;
    session.on("stream", (stream: ServerHttp2Stream, { ":path": path }) => {
      stream.on("error", () => undefined);
      if (serves) answer(stream, path === "/grpc.health.v1.Health/Check" ? serving : new Uint8Array());
      else stream.close(code);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get sessions() {
      return sessions;
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

/** What a probe of the circuit must find: otherwise the circuit opens, and stays open. */
const serving = toBinary(HealthCheckResponseSchema, create(HealthCheckResponseSchema, { status: Status.SERVING }));

/** Empty bytes are a message of any unary method. */
function answer(stream: ServerHttp2Stream, message: Uint8Array): void {
  stream.respond({ ":status": 200, "content-type": "application/proto" });
  stream.end(message);
}
