import { testReceiver } from "@canvass/testing/https-receiver";
import type { Answer } from "dns-packet";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, describe, expect, test } from "vitest";
import { createAddressPolicy } from "../src/address-policy.ts";
import { createConnections } from "../src/connections.ts";
import { exchange } from "../src/exchange.ts";
import { createWebhookSender, type WebhookMessage, type WebhookSenderOptions } from "../src/index.ts";
import { createResolveHost } from "../src/resolve-host.ts";
import { startNameServer, type Zone } from "./name-server.ts";

const receiver = await sharedByFile(testReceiver({ names: ["hooks.example", "127.0.0.1"] }));
beforeEach(() => {
  receiver.answer(200);
  receiver.requests.length = 0;
});

const message = (host = "hooks.example", port = receiver.port): WebhookMessage => ({
  url: `https://${host}:${port}/`,
  webhookId: "evt1",
  timestamp: 1_772_366_400,
  body: "{}",
  secrets: [`whsec_${Buffer.alloc(24, 7).toString("base64")}`],
});

const sender = (options: WebhookSenderOptions) =>
  createWebhookSender({ allowedCidrs: ["127.0.0.0/8"], extraCa: receiver.ca, shareLookupsMs: 0, ...options });

const a = (name: string, ...addresses: string[]): Answer[] =>
  addresses.map((data) => ({ type: "A", name, ttl: 0, data }));
const aaaa = (name: string, ...addresses: string[]): Answer[] =>
  addresses.map((data) => ({ type: "AAAA", name, ttl: 0, data }));
const cname = (name: string, data: string): Answer => ({ type: "CNAME", name, ttl: 0, data });
/** Answers questions of type A with `ipv4`, others with `ipv6`. */
const zone =
  (ipv4: Answer[], ipv6: Answer[] = []): Zone =>
  ({ type }) =>
    type === "A" ? ipv4 : ipv6;

describe("names that name servers answer", () => {
  test.each<[string, string, Zone]>([
    ["its only address is permitted", "success", zone(a("hooks.example", "127.0.0.1"))],
    [
      "a chain of names ends at a permitted one",
      "success",
      zone([cname("hooks.example", "a.example"), cname("a.example", "b.example"), ...a("b.example", "127.0.0.1")]),
    ],
    [
      "a chain of names ends at a private one",
      "blocked",
      zone([
        cname("hooks.example", "a.example"),
        cname("a.example", "metadata.example"),
        ...a("metadata.example", "169.254.169.254"),
      ]),
    ],
    ["a private one stands behind a permitted one", "blocked", zone(a("hooks.example", "127.0.0.1", "10.0.0.1"))],
    ["a private one stands before it", "blocked", zone(a("hooks.example", "10.0.0.1", "127.0.0.1"))],
    [
      "IPv4 is permitted, IPv6 is the loopback",
      "blocked",
      zone(a("hooks.example", "127.0.0.1"), aaaa("hooks.example", "::1")),
    ],
    ["IPv6 embeds a private address", "blocked", zone([], aaaa("hooks.example", "::ffff:10.0.0.1"))],
    ["the last of 64 is private", "blocked", zone(a("hooks.example", ...loopbacks(63), "10.0.0.1"))],
    ["there are 1,000", "blocked", zone(a("hooks.example", ...loopbacks(999), "127.0.0.1"))],
    ["there is no such name", "connection_error", () => undefined],
    ["it has no address", "connection_error", zone([])],
    [
      "its chain of names goes round",
      "connection_error",
      zone([cname("hooks.example", "a.example"), cname("a.example", "hooks.example")]),
    ],
    ["its name server does not answer", "connection_error", () => "silent"],
  ])("%s: %s", async (what, outcome, answers) => {
    // Only a silent name server is waited for to the end.
    const budgetMs = /does not answer/.test(what) ? 300 : 20_000;
    await using server = await startNameServer(answers);
    await using webhooks = sender({ resolve: createResolveHost([server.address]), budgetMs });
    expect(await webhooks.send(message())).toMatchObject({ outcome });
    expect(receiver.requests).toHaveLength(outcome === "success" ? 1 : 0);
  });

  test("of 64 addresses a few are tried", async () => {
    await using server = await startNameServer(zone(a("hooks.example", ...loopbacks(64))));
    await using webhooks = sender({ resolve: createResolveHost([server.address]) });
    const destination = await webhooks.checkDestination(new URL(message().url));
    expect(destination).toMatchObject({ state: "permitted", addresses: { length: 8 } });
    expect(await webhooks.send(message())).toMatchObject({ outcome: "connection_error" });
  });

  test("a name with too many addresses is refused in words its owner understands", async () => {
    const resolve = async () => loopbacks(4000);
    await using webhooks = sender({ resolve });
    expect(await webhooks.checkDestination(new URL(message().url))).toEqual({
      state: "refused",
      reason: "the name has 4000 addresses",
      problems: ["has a host name with more than 64 addresses"],
    });
  });
});

/** Where nothing listens. */
function loopbacks(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `127.1.${index >> 8}.${index & 255}`);
}

describe("names whose addresses change (DNS rebinding)", () => {
  test("one look-up decides: what is checked is what is connected to", async () => {
    const answers = ["127.0.0.1", "10.0.0.1"];
    await using server = await startNameServer(({ type }) =>
      type === "A" ? a("hooks.example", answers.shift() ?? "10.0.0.1") : [],
    );
    await using webhooks = sender({ resolve: createResolveHost([server.address]) });
    expect(await webhooks.send(message())).toMatchObject({ outcome: "success" });
    expect(server.questions.filter((question) => question.startsWith("A "))).toEqual(["A hooks.example"]);
    expect(await webhooks.send(message())).toMatchObject({ outcome: "blocked" });
    expect(receiver.requests).toHaveLength(1);
  });

  test("what was permitted at registration is judged anew by each attempt", async () => {
    let addresses = ["127.0.0.1"];
    await using webhooks = sender({ resolve: async () => addresses });
    expect(await webhooks.checkDestination(new URL(message().url))).toMatchObject({ state: "permitted" });
    addresses = ["192.168.0.1"];
    expect(await webhooks.send(message())).toMatchObject({ outcome: "blocked" });
    addresses = ["127.0.0.1"];
    expect(await webhooks.send(message())).toMatchObject({ outcome: "success" });
  });

  test("shared look-ups share the checked addresses, not the name", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    await using webhooks = sender({ resolve: async () => answers.shift()!, shareLookupsMs: 60_000 });
    for (const _ of [1, 2, 3]) expect(await webhooks.send(message())).toMatchObject({ outcome: "success" });
    expect(answers).toHaveLength(1);
  });
});

test("a request to the checked address names the host: in SNI, certificate and Host", async () => {
  await using webhooks = sender({ resolve: async () => ["127.0.0.1"] });
  expect(await webhooks.send(message("HOOKS.example."))).toMatchObject({ outcome: "success" });
  expect(await webhooks.send(message("127.0.0.1"))).toMatchObject({ outcome: "success" });
  expect(receiver.requests.map(({ servername, headers }) => [servername, headers.host])).toEqual([
    ["hooks.example", `hooks.example.:${receiver.port}`],
    // An address is no server name (RFC 6066, 3).
    [false, `127.0.0.1:${receiver.port}`],
  ]);
});

test("the address of the peer is checked again before anything is sent", async () => {
  const policy = createAddressPolicy();
  using connections = createConnections({ policy, extraCa: receiver.ca, idleMs: 1000 });
  const target = { url: new URL(receiver.url), servername: undefined, address: "127.0.0.1" };
  const ended = await exchange(connections, target, { headers: {}, body: "{}" }, 5000);
  expect(ended).toMatchObject({ reached: "connecting", error: { message: "the peer's address may not be reached" } });
  expect(receiver.connections).toBeGreaterThan(0);
  expect(receiver.requests).toHaveLength(0);
});

test.each([300, 301, 302, 303, 305, 307, 308])(
  "a %d to a private address is an answer like any other",
  async (status) => {
    const asked: string[] = [];
    const resolve = async (host: string) => (asked.push(host), ["127.0.0.1"]);
    await using webhooks = sender({ resolve });
    for (const location of ["https://169.254.169.254/", "http://10.0.0.1/", "//[::1]/", "https://metadata.example/"]) {
      receiver.answer({ status, headers: { location, refresh: `0; url=${location}`, "alt-svc": 'h2="10.0.0.1:443"' } });
      expect(await webhooks.send(message())).toMatchObject({ outcome: "http_error", statusCode: status });
    }
    expect(new Set(asked)).toEqual(new Set(["hooks.example"]));
    expect(receiver.requests).toHaveLength(4);
  },
);
