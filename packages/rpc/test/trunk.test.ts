import { AppError } from "@canvass/errors";
import { TokenService } from "@canvass/proto/token";
import { Code, createClient } from "@connectrpc/connect";
import dns, { type LookupAddress, type LookupAllOptions } from "node:dns";
import { connect, constants } from "node:http2";
import { expect, test, vi } from "vitest";
import { createGrpcTransport } from "../src/grpc-transport.ts";
import { bind, callOptions, createRpcClient, type Call } from "../src/index.ts";
import { maxConcurrentStreams } from "../src/message-limits.ts";
import {
  frameKinds,
  frameOf,
  frameReader,
  trunkPath,
  trunkType,
  type CallHead,
  type Frame,
} from "../src/trunk/frames.ts";
import { keepTrunks } from "../src/trunk/trunks.ts";
import { authority, signedBy } from "./certificates.ts";
import { startStoppableProxy } from "./stoppable-proxy.ts";
import { codeOf, signedCaller, startTokenServer } from "./token-server.ts";

const unwatched = { begin: () => () => undefined };

/** A client whose calls take trunks only; one that would take the channel ends with `internal_error`. */
async function connectByTrunk(url: string, tls?: Parameters<typeof keepTrunks>[0]["tls"]) {
  const trunks = keepTrunks({ url, tls });
  await trunks.tend();
  const connection = {
    get channel(): never {
      throw new Error("a call would take the channel");
    },
  };
  const options = { connection, trunks, callee: unwatched, peerKey: "peer", defaultTimeoutMs: 10_000 };
  const tokens = createClient(TokenService, createGrpcTransport(options));
  return {
    trunks,
    get: (tokenId: string, context: Parameters<typeof callOptions>[0] = {}) =>
      tokens.getToken({ tokenId }, callOptions({ signedCaller, ...context })),
    [Symbol.dispose]: () => trunks[Symbol.dispose](),
  };
}

const sized = {
  getToken: async ({ tokenId }: { tokenId: string }) => ({ token: { name: "x".repeat(Number(tokenId)) } }),
};
const mebi = 1024 * 1024;

test("calls share a stream; answers of any size arrive whole, small ones before large ones that began earlier", async () => {
  await using server = await startTokenServer(sized);
  using client = await connectByTrunk(server.url);
  const sizes = [5 * mebi, 0, 65_000, 65_536, 70_000, 131_072, 1];
  const ended: number[] = [];
  const names = sizes.map(async (size) => {
    const { token } = await client.get(String(size));
    ended.push(size);
    return token?.name.length;
  });
  expect(await Promise.all(names)).toEqual(sizes);
  expect(ended.at(-1)).toBe(5 * mebi);
});

test("errors arrive as they were thrown, and callers without proof are refused", async () => {
  await using server = await startTokenServer({
    getToken: async () => {
      throw new AppError("quota_exceeded", { limit: 10 }, "Zu viele – ja.");
    },
  });
  using client = await connectByTrunk(server.url);
  const error = await client.get("any").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "quota_exceeded", details: { limit: 10 }, message: "Zu viele – ja." });
  expect(await codeOf(client.get("any", { signedCaller: `${signedCaller}x` }))).toBe("unauthorized");
});

test("an answer larger than a message and too many unread ones are refused alone", async () => {
  await using server = await startTokenServer(sized, { maxUnreadBytes: 70 * mebi });
  using client = await connectByTrunk(server.url);
  const patient = { timeoutMs: 60_000 };
  expect(await codeOf(client.get(String(65 * mebi), patient))).toBe("service_unavailable");
  const outcomes = await Promise.all([50, 50, 0].map((size) => codeOf(client.get(String(size * mebi), patient))));
  expect(outcomes).toEqual(["fine", "service_unavailable", "fine"]);
});

test("a large request takes the channel, and so does the first", async () => {
  await using server = await startTokenServer(sized);
  using client = await connectByTrunk(server.url);
  expect(await codeOf(client.get("0".repeat(40_000)))).toBe("internal_error");
  await using usual = createRpcClient(TokenService, { url: server.url });
  for (const tokenId of ["1", "0".repeat(40_000)]) {
    expect(await codeOf(usual.getToken({ tokenId }, callOptions({ signedCaller })))).toBe("fine");
  }
});

/** A server whose handler waits until it is released, and tells why its caller left. */
async function startHolding(options = {}) {
  const [began, release, told] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<unknown>(),
  ];
  let calls = 0;
  const hold = bind({}, async (_context: object, _request: unknown, { signal }: Call) => {
    calls += 1;
    signal.addEventListener("abort", () => told.resolve(signal.reason));
    began.resolve();
    await release.promise;
    return {};
  });
  const server = await startTokenServer({ getToken: hold, recordTokenUses: hold, listTokens: hold }, options);
  return {
    server,
    began: began.promise,
    told: told.promise,
    release: release.resolve,
    get calls() {
      return calls;
    },
    [Symbol.asyncDispose]: async () => {
      release.resolve();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("the deadline holds on both sides, and a late answer has the trunk left", async () => {
  await using held = await startHolding();
  using client = await connectByTrunk(held.server.url);
  const late = codeOf(client.get("any", { timeoutMs: 500 }));
  await held.began;
  expect(await late).toBe("deadline_exceeded");
  expect(await held.told).toBeDefined();
  expect(client.trunks.next()).toBeDefined();
  expect(await codeOf(client.get("any", { timeoutMs: 1_000 }))).toBe("deadline_exceeded");
  expect(client.trunks.next()).toBeUndefined();
});

test("a caller that leaves is told to the handler", async () => {
  await using held = await startHolding();
  using client = await connectByTrunk(held.server.url);
  const leaving = new AbortController();
  const call = codeOf(client.get("any", { signal: leaving.signal }));
  await held.began;
  leaving.abort();
  expect(await call).toBe("service_unavailable");
  expect(await held.told).toMatchObject({ code: Code.Canceled });
});

test("calls under way are answered when the server stops, and no later one takes the trunk", async () => {
  await using held = await startHolding();
  using client = await connectByTrunk(held.server.url);
  const call = codeOf(client.get("any"));
  await held.began;
  const stopped = held.server[Symbol.asyncDispose]();
  await expect.poll(() => client.trunks.next()).toBeUndefined();
  held.release();
  expect(await call).toBe("fine");
  await stopped;
});

test("a server that stops does not wait for idle trunks", async () => {
  const server = await startTokenServer(sized, { drainMs: 600_000 });
  using client = await connectByTrunk(server.url);
  await server[Symbol.asyncDispose]();
  expect(client.trunks.next()).toBeUndefined();
});

test("when the connection breaks, a read is asked again by the channel and a write fails", async () => {
  await using held = await startHolding();
  await using proxy = await startStoppableProxy(held.server.url);
  const trunks = keepTrunks({ url: proxy.url });
  await trunks.tend();
  const asked: string[] = [];
  const channel = {
    makeUnaryRequest(path: string, ...rest: unknown[]) {
      asked.push(path);
      (rest.at(-1) as (error: null, answer: Buffer) => void)(null, Buffer.alloc(0));
      return { on: () => undefined, cancel: () => undefined };
    },
  };
  const options = { connection: { channel: channel as never }, trunks, callee: unwatched, peerKey: "peer" };
  const tokens = createClient(TokenService, createGrpcTransport({ ...options, defaultTimeoutMs: 10_000 }));
  const read = codeOf(tokens.listTokens({}, callOptions({ signedCaller })));
  const write = codeOf(tokens.recordTokenUses({}));
  await expect.poll(() => held.calls).toBe(2);
  await proxy[Symbol.asyncDispose]();
  expect([await read, await write]).toEqual(["fine", "service_unavailable"]);
  expect(asked).toEqual(["/canvass.token.v1.TokenService/ListTokens"]);
  expect(trunks.next()).toBeUndefined();
});

test("a trunk is opened over TLS with the process's certificate, and not without", async () => {
  const [ours, theirs] = await Promise.all([authority(), authority()]);
  const [own, stranger] = await Promise.all([signedBy(ours), signedBy(theirs)]);
  await using server = await startTokenServer(sized, { tls: { ...own, ca: ours.cert } });
  const url = server.url.replace("127.0.0.1", "localhost");
  using client = await connectByTrunk(url, { ca: ours.cert, ...own });
  expect(await codeOf(client.get("1"))).toBe("fine");
  for (const tls of [{ ca: ours.cert }, { ca: ours.cert, ...stranger }, { ca: theirs.cert, ...own }]) {
    using refused = keepTrunks({ url, tls });
    await refused.tend();
    expect(refused.next()).toBeUndefined();
  }
});

type LookupAll = (name: string, options: LookupAllOptions) => Promise<LookupAddress[]>;

const needsTwoAddresses = {
  skip: process.platform !== "linux",
  meta: { skipReason: "only Linux has a second loopback address" },
};
test("the addresses of a name take turns", needsTwoAddresses, async () => {
  const calls = [0, 0];
  const counting = (index: number) => ({ getToken: async () => ((calls[index] = calls[index]! + 1), {}) });
  await using first = await startTokenServer(counting(0));
  const port = Number(new URL(first.url).port);
  await using _second = await startTokenServer(counting(1), { host: "127.0.0.2", port });
  const addresses = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
  using _lookup = vi.spyOn<{ lookup: LookupAll }, "lookup">(dns.promises, "lookup").mockResolvedValue(addresses);
  using client = await connectByTrunk(first.url.replace("127.0.0.1", "localhost"));
  for (let call = 0; call < 10; call += 1) await client.get("any");
  expect(calls).toEqual([5, 5]);
});

/** A trunk without a client's care. */
function rawTrunk(url: string) {
  const session = connect(url);
  const stream = session.request({ ":method": "POST", ":path": trunkPath, "content-type": trunkType });
  const frames: Frame[] = [];
  stream.on(
    "data",
    frameReader((frame) => frames.push(frame)),
  );
  stream.on("error", () => undefined);
  return { stream, frames, [Symbol.dispose]: () => session.destroy() };
}

test.each([
  ["a length that no frame has", Buffer.alloc(4)],
  ["a frame beyond the limit", Buffer.from([127, 0, 0, 0])],
  ["a head longer than its frame", Buffer.from([0, 0, 0, 7, 0, 0, 0, 1, 1, 0, 9])],
  ["a head that is no JSON", Buffer.from([0, 0, 0, 8, 0, 0, 0, 1, 1, 0, 1, 123])],
])("%s ends the trunk", async (_what, bytes) => {
  await using server = await startTokenServer(sized);
  using trunk = rawTrunk(server.url);
  trunk.stream.write(bytes);
  await expect.poll(() => trunk.stream.closed).toBe(true);
  expect(trunk.stream.rstCode).toBe(constants.NGHTTP2_PROTOCOL_ERROR);
});

const path = "/canvass.token.v1.TokenService/GetToken";
const good = { path, timeoutMs: 10_000, header: { "canvass-caller": signedCaller } };

test.each([
  ["an unknown method", { path: "/none", timeoutMs: 1000, header: {} }, Buffer.alloc(0), Code.Unimplemented],
  ["no deadline", { path, header: {} }, Buffer.alloc(0), Code.InvalidArgument],
  ["a deadline beyond the limit", { path, timeoutMs: 1e9, header: {} }, Buffer.alloc(0), Code.InvalidArgument],
  ["metadata that is no text", { path, timeoutMs: 1000, header: { a: 1 } }, Buffer.alloc(0), Code.InvalidArgument],
  ["no proof", { path, timeoutMs: 1000, header: {} }, Buffer.from([255]), Code.Unauthenticated],
  ["no message of its type", good, Buffer.from([255]), Code.InvalidArgument],
])("a call with %s is refused, and the trunk goes on", async (_what, head, body, code) => {
  await using server = await startTokenServer(sized);
  using trunk = rawTrunk(server.url);
  trunk.stream.write(frameOf(1, frameKinds.call, head as CallHead, body));
  await expect.poll(() => trunk.frames.length).toBe(1);
  trunk.stream.write(frameOf(2, frameKinds.call, good));
  await expect.poll(() => trunk.frames.length).toBe(2);
  expect(trunk.frames[0]).toMatchObject({ call: 1, kind: frameKinds.failure, head: { "grpc-status": String(code) } });
  expect(trunk.frames[1]).toMatchObject({ call: 2, kind: frameKinds.answer });
});

test("a second call under the number of one under way ends the trunk", async () => {
  await using held = await startHolding();
  const use = {
    path: "/canvass.token.v1.TokenService/RecordTokenUses",
    timeoutMs: 60_000,
    header: { "canvass-peer": "peer" },
  };
  using trunk = rawTrunk(held.server.url);
  for (const call of [1, 1]) trunk.stream.write(frameOf(call, frameKinds.call, use));
  await expect.poll(() => trunk.stream.closed).toBe(true);
  expect(trunk.stream.rstCode).toBe(constants.NGHTTP2_PROTOCOL_ERROR);
});

test("a trunk has at most as many calls under way as a session streams", async () => {
  await using held = await startHolding();
  // Of peers, who do not wait in turns.
  const use = {
    path: "/canvass.token.v1.TokenService/RecordTokenUses",
    timeoutMs: 60_000,
    header: { "canvass-peer": "peer" },
  };
  using trunk = rawTrunk(held.server.url);
  for (let call = 1; call <= maxConcurrentStreams + 1; call += 1) {
    trunk.stream.write(frameOf(call, frameKinds.call, use));
  }
  await expect.poll(() => trunk.frames.length).toBe(1);
  const head = { "grpc-status": String(Code.ResourceExhausted) };
  expect(trunk.frames[0]).toMatchObject({ call: maxConcurrentStreams + 1, kind: frameKinds.failure, head });
});

test("a call that is given up, by cancel or deadline, keeps its place until its method has ended", async () => {
  await using held = await startHolding();
  const use = (timeoutMs: number) => ({
    path: "/canvass.token.v1.TokenService/RecordTokenUses",
    timeoutMs,
    header: { "canvass-peer": "peer" },
  });
  using trunk = rawTrunk(held.server.url);
  const [late, given, refused, allowed] = [1, 2, maxConcurrentStreams + 1, maxConcurrentStreams + 2];
  trunk.stream.write(frameOf(late, frameKinds.call, use(0)));
  for (let call = given; call < refused; call += 1) trunk.stream.write(frameOf(call, frameKinds.call, use(60_000)));
  trunk.stream.write(frameOf(given, frameKinds.cancel, undefined));
  await expect.poll(() => trunk.frames.map(({ call }) => call)).toEqual([late]);
  trunk.stream.write(frameOf(refused, frameKinds.call, use(60_000)));
  await expect.poll(() => trunk.frames.length).toBe(2);
  expect(trunk.frames[1]).toMatchObject({ call: refused, head: { "grpc-status": String(Code.ResourceExhausted) } });
  held.release();
  await expect.poll(() => trunk.frames.length).toBe(maxConcurrentStreams);
  trunk.stream.write(frameOf(allowed, frameKinds.call, use(60_000)));
  await expect.poll(() => trunk.frames.at(-1)).toMatchObject({ call: allowed, kind: frameKinds.answer });
});
