import { create } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { groupViolations, validationFailed } from "@canvass/inputs";
import { IdempotencySchema, type Replay } from "@canvass/proto/rpc";
import { OperatorService, TokenService } from "@canvass/proto/token";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport as createConnectNodeTransport } from "@connectrpc/connect-node";
import { Health, HealthCheckResponse_ServingStatus as Status } from "@canvass/proto/health";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import dns, { type LookupAddress, type LookupAllOptions } from "node:dns";
import type { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { bind, callOptions, createRpcClient, type Call } from "../src/index.ts";
import { codeOf, signedCaller, signedFor, startTokenServer } from "./token-server.ts";

test("a call carries its caller, idempotency and request id, and its answer says when it is a replay", async () => {
  const seen: unknown[] = [];
  await using server = await startTokenServer({
    listTokens: bind({}, async (_context: object, _request: unknown, call: Call) => {
      seen.push(call.caller.workspaceId, call.idempotency?.key, call.requestId);
      call.replayed({ $typeName: "canvass.rpc.v1.Replay", requestId: "first" });
      return { tokens: [] };
    }),
  });
  await using client = createRpcClient(TokenService, { url: server.url });
  const replays: Replay[] = [];
  const idempotency = create(IdempotencySchema, { key: "k", scope: "s" });
  await client.listTokens(
    {},
    callOptions({ signedCaller, requestId: "r1", idempotency, onReplay: (replay) => replays.push(replay) }),
  );
  expect(seen).toEqual(["w1", "k", "r1"]);
  expect(replays[0]?.requestId).toBe("first");
});

test("the peer that opened the connection is known, independently of the call; a client's request id is added to calls without one", async () => {
  const seen: string[][] = [];
  const listTokens = bind({}, async (_context: object, _request: unknown, call: Call) => {
    seen.push([call.peerAddress, call.clientAddress, call.requestId]);
    return {};
  });
  await using server = await startTokenServer({ listTokens });
  await using client = createRpcClient(TokenService, { url: server.url, requestId: "mine" });
  await client.listTokens({}, callOptions({ signedCaller, clientAddress: "192.0.2.1" }));
  await client.listTokens({}, callOptions({ signedCaller, requestId: "another" }));
  expect(seen).toEqual([
    ["127.0.0.1", "192.0.2.1", "mine"],
    ["127.0.0.1", "", "another"],
  ]);
});

test("methods refuse callers without the required proof", async () => {
  await using server = await startTokenServer({ listTokens: async () => ({}), batchAuthenticate: async () => ({}) });
  await using unauthenticated = createRpcClient(TokenService, { url: server.url });
  await using impostor = createRpcClient(TokenService, { url: server.url, peerKey: "peeR" });
  await using peer = createRpcClient(TokenService, { url: server.url, peerKey: "peer" });
  await using operator = createRpcClient(OperatorService, { url: server.url, operatorKey: "peer" });
  expect(await codeOf(unauthenticated.listTokens({}))).toBe("unauthorized");
  expect(await codeOf(unauthenticated.listTokens({}, callOptions({ signedCaller: `${signedCaller}x` })))).toBe(
    "unauthorized",
  );
  expect(await codeOf(unauthenticated.batchAuthenticate({}))).toBe("unauthorized");
  expect(await codeOf(impostor.batchAuthenticate({}))).toBe("unauthorized");
  expect(await codeOf(peer.batchAuthenticate({}))).toBe("fine");
  expect(await codeOf(operator.createWorkspace({}))).not.toBe("fine");
});

test("errors arrive as they were thrown; foreign ones are recognized or hidden", async () => {
  const thrown: Record<string, () => never> = {
    known: () => {
      throw new AppError("quota_exceeded", { limit: 10 }, "Too many.");
    },
    recognized: () => {
      throw new Error("no database");
    },
    defect: () => {
      throw new TypeError("secret internals");
    },
  };
  await using server = await startTokenServer({ getToken: async ({ tokenId }) => thrown[tokenId]!() });
  await using client = createRpcClient(TokenService, { url: server.url });
  const failure = (tokenId: string) =>
    client.getToken({ tokenId }, callOptions({ signedCaller })).catch((e: unknown) => e);
  expect(await failure("known")).toMatchObject({
    code: "quota_exceeded",
    details: { limit: 10 },
    message: "Too many.",
  });
  expect(await failure("recognized")).toMatchObject({ code: "service_unavailable" });
  const hidden = await failure("defect");
  expect(hidden).toMatchObject({ code: "internal_error" });
  expect(String(hidden)).not.toContain("secret");
});

test("a deadline beyond the longest call is shortened to that", async () => {
  const given: (number | undefined)[] = [];
  await using server = await startTokenServer({
    getToken: async (_request, call) => {
      given.push(call.timeoutMs());
      return {};
    },
  });
  await using client = createRpcClient(TokenService, { url: server.url });
  await client.getToken({}, callOptions({ signedCaller, timeoutMs: 3_600_000 }));
  expect(given[0]).toBeLessThanOrEqual(120_000);
  expect(given[0]).toBeGreaterThan(60_000);
});

test("of many violations the first ones are returned, with the number of others", async () => {
  const faults = Array.from({ length: 5000 }, (_, index) => ({
    path: `questions.${index}.ü`,
    message: "é".repeat(50),
  }));
  await using server = await startTokenServer({ getToken: () => Promise.reject(validationFailed(faults)) });
  await using client = createRpcClient(TokenService, { url: server.url });
  const error = await client.getToken({}, callOptions({ signedCaller })).catch((refused: unknown) => refused);
  if (!(error instanceof AppError)) throw new Error("no error of the catalogue", { cause: error });
  expect(error.code).toBe("validation_failed");
  const { "…": note, ...named } = error.details;
  const count = Object.keys(named).length;
  expect(count).toBeGreaterThan(200);
  expect(named).toEqual(groupViolations(faults.slice(0, count)));
  expect(note).toEqual([`${5000 - count} more are left out here`]);
});

test("a call of a service that is too slow, or down, fails with deadline_exceeded or service_unavailable", async () => {
  const server = await startTokenServer({ getToken: () => new Promise(() => undefined) });
  await using client = createRpcClient(TokenService, { url: server.url });
  expect(await codeOf(client.getToken({}, callOptions({ signedCaller, timeoutMs: 100 })))).toBe("deadline_exceeded");
  await server[Symbol.asyncDispose]();
  expect(await codeOf(client.getToken({}, callOptions({ signedCaller, timeoutMs: 2000 })))).toBe("service_unavailable");
});

test("a client finds a server again that was restarted on its port", async () => {
  const first = await startTokenServer({ listTokens: async () => ({}) });
  const port = Number(new URL(first.url).port);
  await using client = createRpcClient(TokenService, { url: first.url });
  await client.listTokens({}, callOptions({ signedCaller }));
  await first[Symbol.asyncDispose]();
  await using _second = await startTokenServer({ listTokens: async () => ({}) }, { port });
  await expect.poll(() => codeOf(client.listTokens({}, callOptions({ signedCaller })))).toBe("fine");
});

/** Counts new connections of the server at that address until it is disposed. */
function countConnections(url: string) {
  const port = Number(new URL(url).port);
  const counted = { count: 0, [Symbol.dispose]: () => void unsubscribe("net.server.socket", note) };
  function note(message: unknown): void {
    if ((message as { socket: Socket }).socket.localPort === port) counted.count += 1;
  }
  subscribe("net.server.socket", note);
  return counted;
}

test("connections are bounded in age without any call failing", async () => {
  await using server = await startTokenServer({ listTokens: async () => ({}) }, { maxConnectionAgeMs: 50 });
  await using client = createRpcClient(TokenService, { url: server.url });
  using connections = countConnections(server.url);
  while (connections.count < 6) {
    expect(await codeOf(client.listTokens({}, callOptions({ signedCaller })))).toBe("fine");
  }
});

test("calls under way are finished when the server stops", async () => {
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const server = await startTokenServer({
    listTokens: async () => {
      entered.resolve();
      await release.promise;
      return { tokens: [{ name: "kept" }] };
    },
  });
  await using client = createRpcClient(TokenService, { url: server.url });
  const answer = client.listTokens({}, callOptions({ signedCaller }));
  await entered.promise;
  const stopped = server[Symbol.asyncDispose]();
  release.resolve();
  expect((await answer).tokens[0]?.name).toBe("kept");
  await stopped;
});

test("grpc.health.v1 answers without proof, for the process and for each service", async () => {
  await using server = await startTokenServer({});
  const client = createClient(Health, createConnectNodeTransport({ baseUrl: server.url }));
  expect((await client.check({})).status).toBe(Status.SERVING);
  expect((await client.check({ service: "canvass.token.v1.TokenService" })).status).toBe(Status.SERVING);
  await expect(client.check({ service: "nobody" })).rejects.toThrow(/unknown service/);
  for await (const { status } of client.watch({ service: "nobody" })) {
    expect(status).toBe(Status.SERVICE_UNKNOWN);
    break;
  }
});

test("calls of a workspace that floods a service wait for each other, and another workspace's call goes ahead", async () => {
  const begun: string[] = [];
  const held = Promise.withResolvers<void>();
  const hold = async (_context: object, _request: unknown, { caller }: Call) => {
    begun.push(caller.workspaceId);
    if (caller.workspaceId === "flood") await held.promise;
    return { tokens: [] };
  };
  await using server = await startTokenServer({ listTokens: bind({}, hold) });
  await using client = createRpcClient(TokenService, { url: server.url });
  const list = (workspaceId: string) => client.listTokens({}, callOptions({ signedCaller: signedFor(workspaceId) }));
  const flood = Array.from({ length: 250 }, () => codeOf(list("flood")));
  await expect.poll(() => begun).toHaveLength(2);
  await list("other");
  expect(begun).toEqual(["flood", "flood", "other"]);
  held.resolve();
  const codes = Map.groupBy(await Promise.all(flood), (code) => code);
  expect(codes.get("service_unavailable")).toHaveLength(48);
  expect(codes.get("fine")).toHaveLength(202);
});

test("a call without a permit does not prevent other calls from starting", async () => {
  const held = Promise.withResolvers<void>();
  let computing = 0;
  const compute = async (_context: object, _request: unknown, call: Call) => {
    return call.withoutPermit(async () => {
      computing += 1;
      await held.promise;
      throw new AppError("deadline_exceeded");
    });
  };
  // Three permits.
  await using server = await startTokenServer(
    { listTokens: bind({}, compute), getToken: bind({}, async () => ({})) },
    { databasePool: 4 },
  );
  await using client = createRpcClient(TokenService, { url: server.url });
  const asOne = (workspaceId: string) => callOptions({ signedCaller: signedFor(workspaceId) });
  const computations = ["one", "one", "one", "two"].map((workspaceId) =>
    codeOf(client.listTokens({}, asOne(workspaceId))),
  );
  await expect.poll(() => computing).toBe(4);
  expect(await codeOf(client.getToken({}, asOne("one")))).toBe("fine");
  expect(await codeOf(client.getToken({}, asOne("other")))).toBe("fine");
  held.resolve();
  expect(await Promise.all(computations)).toEqual(Array(4).fill("deadline_exceeded"));
});

test("what a call does after work without its permit waits for one again, and no permit is lost", async () => {
  const computed = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let [computing, collecting, aborted] = [0, 0, 0];
  const collect = async (_context: object, _request: unknown, call: Call) => {
    call.signal.addEventListener("abort", () => (aborted += 1));
    await call.withoutPermit(async () => {
      computing += 1;
      await computed.promise;
    });
    collecting += 1;
    await held.promise;
    return { tokens: [] };
  };
  await using server = await startTokenServer({
    listTokens: bind({}, collect),
    getToken: bind({}, async () => ({})),
  });
  await using client = createRpcClient(TokenService, { url: server.url });
  const asOne = callOptions({ signedCaller: signedFor("one") });
  const leaving = new AbortController();
  const left = codeOf(client.listTokens({}, { ...asOne, signal: leaving.signal }));
  const calls = Array.from({ length: 5 }, () => codeOf(client.listTokens({}, asOne)));
  await expect.poll(() => computing).toBe(6);
  leaving.abort();
  await left;
  await expect.poll(() => aborted).toBe(1);
  computed.resolve();
  await expect.poll(() => collecting).toBe(2);
  expect(await codeOf(client.getToken({}, callOptions({ signedCaller: signedFor("other") })))).toBe("fine");
  expect(collecting).toBe(2);
  held.resolve();
  expect(await Promise.all(calls)).toEqual(Array(5).fill("fine"));
  expect(collecting).toBe(5);
  expect(await codeOf(client.getToken({}, asOne))).toBe("fine");
});

const needsTwoAddresses = {
  skip: process.platform !== "linux",
  meta: { skipReason: "only Linux has a second loopback address" },
};
test(
  "the addresses of a name take turns, and writes go to those that are left when one is gone",
  needsTwoAddresses,
  async () => {
    const calls = [0, 0];
    const counting = (index: number) => ({ createToken: async () => ((calls[index] = calls[index]! + 1), {}) });
    await using first = await startTokenServer(counting(0));
    const { port } = new URL(first.url);
    const second = await startTokenServer(counting(1), { host: "127.0.0.2", port: Number(port) });
    const addresses = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
    type LookupAll = (name: string, options: LookupAllOptions) => Promise<LookupAddress[]>;
    using _lookup = vi.spyOn<{ lookup: LookupAll }, "lookup">(dns.promises, "lookup").mockResolvedValue(addresses);
    await using client = createRpcClient(TokenService, { url: `http://localhost:${port}` });
    const create = () => codeOf(client.createToken({}, callOptions({ signedCaller })));
    // Until both are connected.
    await expect.poll(async () => [await create(), Math.min(...calls) > 0]).toEqual(["fine", true]);
    calls.fill(0);
    for (let call = 0; call < 10; call += 1) expect(await create()).toBe("fine");
    expect(calls).toEqual([5, 5]);
    await second[Symbol.asyncDispose]();
    for (let call = 0; call < 10; call += 1) expect(await create()).toBe("fine");
    expect(calls).toEqual([15, 5]);
  },
);
