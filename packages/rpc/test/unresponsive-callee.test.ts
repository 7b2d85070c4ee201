import { AppError } from "@canvass/errors";
import { TokenService } from "@canvass/proto/token";
import { createMetrics } from "@canvass/telemetry";
import { expect, test } from "vitest";
import { callOptions, connectTarget, type RpcTargetOptions } from "../src/index.ts";
import { startStoppableProxy } from "./stoppable-proxy.ts";
import { codeOf, signedCaller, signedFor, startTokenServer } from "./token-server.ts";

function connectTokens(url: string, options: Partial<RpcTargetOptions> = {}) {
  const metrics = createMetrics("test");
  const target = connectTarget({ url, metrics, name: "token", ...options });
  const tokens = target.client(TokenService);
  return {
    target,
    list: (timeoutMs: number) => codeOf(tokens.listTokens({}, callOptions({ signedCaller, timeoutMs }))),
    circuit: async () => (await metrics.getSingleMetric("canvass_rpc_circuit_state")!.get()).values[0]?.value,
    [Symbol.dispose]: () => target[Symbol.dispose](),
  };
}

/** For a server on which calls hang for ever: more permits than calls. */
const permitsForAll = { databasePool: 100 };
/** Longer than a test takes: a call with this deadline that ends was refused at once, or answered. */
const noDeadline = 120_000;

test("a callee that hangs costs the calls under way their deadline and no later one anything; it is found again", async () => {
  await using server = await startTokenServer({ listTokens: async () => ({}) });
  await using proxy = await startStoppableProxy(server.url);
  using client = connectTokens(proxy.url);
  expect(await client.list(noDeadline)).toBe("fine");
  expect(await client.circuit()).toBe(0);

  proxy.stop();
  expect(await client.list(2_000)).toBe("deadline_exceeded");
  await expect.poll(client.circuit).toBe(2);
  for (let call = 0; call < 100; call += 1) expect(await client.list(noDeadline)).toBe("service_unavailable");
  expect(await client.target.health(200)).toBe("unreachable");

  proxy.resume();
  await expect.poll(client.circuit).toBe(0);
  expect(await client.list(noDeadline)).toBe("fine");
  expect(await client.target.health(10_000)).toBe("serving");
});

test("a callee that is gone is not called again and again, and it is found when it comes back", async () => {
  const first = await startTokenServer({ listTokens: async () => ({}) });
  using client = connectTokens(first.url);
  expect(await client.list(noDeadline)).toBe("fine");
  await first[Symbol.asyncDispose]();
  expect(await client.list(noDeadline)).toBe("service_unavailable");
  await expect.poll(client.circuit).not.toBe(0);
  await using _second = await startTokenServer(
    { listTokens: async () => ({}) },
    { port: Number(new URL(first.url).port) },
  );
  await expect.poll(() => client.list(noDeadline)).toBe("fine");
});

test("slow calls, refusals and short deadlines of one caller do not affect others", async () => {
  let calls = 0;
  await using server = await startTokenServer(
    {
      listTokens: async () => ({}),
      getToken: ({ tokenId }) => {
        calls += 1;
        if (tokenId === "refused") throw new AppError("service_unavailable");
        return new Promise(() => undefined);
      },
    },
    permitsForAll,
  );
  using client = connectTokens(server.url);
  const tokens = client.target.client(TokenService);
  let workspaces = 0;
  // Each of a workspace of its own, so that none waits for another's turn.
  const get = (tokenId: string, timeoutMs: number) => {
    workspaces += 1;
    return codeOf(
      tokens.getToken({ tokenId }, callOptions({ signedCaller: signedFor(`own${workspaces}`), timeoutMs })),
    );
  };
  const outcomes = await Promise.all([
    ...Array.from({ length: 20 }, () => get("slow", 2_000)),
    ...Array.from({ length: 20 }, () => get("slow", 1)),
    ...Array.from({ length: 20 }, () => get("refused", noDeadline)),
  ]);
  expect(new Set(outcomes)).toEqual(new Set(["deadline_exceeded", "service_unavailable"]));
  expect(calls).toBeGreaterThanOrEqual(40);
  expect(await client.circuit()).toBe(0);
  expect(await client.list(noDeadline)).toBe("fine");
});

test("health reports failing calls although the health RPC passes, until one succeeds", async () => {
  await using server = await startTokenServer(
    {
      listTokens: async () => ({}),
      getToken: () => new Promise(() => undefined),
    },
    permitsForAll,
  );
  using client = connectTokens(server.url);
  const tokens = client.target.client(TokenService);
  const hanging = (_: unknown, index: number) =>
    codeOf(tokens.getToken({}, callOptions({ signedCaller: signedFor(`own${index}`), timeoutMs: 1_000 })));
  expect(await client.target.health(10_000)).toBe("serving");
  await Promise.all(Array.from({ length: 5 }, hanging));
  expect(await client.target.health(10_000)).toBe("unreachable");
  expect(await client.list(noDeadline)).toBe("fine");
  expect(await client.target.health(10_000)).toBe("serving");
});

test("a callee that responds but cannot work is distinguished from one that does not respond", async () => {
  await using server = await startTokenServer({}, { checks: { database: async () => false } });
  using client = connectTokens(server.url);
  expect(await client.target.health(10_000)).toBe("not_serving");
  expect(await client.circuit()).toBe(0);
});
