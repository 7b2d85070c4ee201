import type { Socket } from "node:net";
import { expect, test } from "vitest";
import type { GatewayConfig } from "../src/config.ts";
import type { GatewayContext } from "../src/context.ts";
import { RenderedData, respond } from "../src/plugins/responses/envelope.ts";
import type { Api } from "../src/routes/api.ts";
import { created } from "../src/routes/location.ts";
import { replayMessage } from "./fake-services.ts";
import { isOver, openUnread } from "./raw-readers.ts";
import { startEdge, type Edge } from "./start-edge.ts";

const mebi = 1024 * 1024;
const limit = 64 * mebi;
/** Of two bytes for each character, and larger than the buffers of both ends of a connection. */
const text = "é".repeat(4 * mebi);
/** As many responses as are below the limit, with their envelopes. */
const below = 7;

function routes(api: Api, context: GatewayContext): void {
  const data = new RenderedData(JSON.stringify(text));
  for (const [url, scope] of [
    ["/test/own", "any_token"],
    ["/test/public", "public"],
  ] as const) {
    api.get(url, { config: { scope } }, async (_request, reply) => respond(context, reply, { data, etag: '"v1"' }));
  }
  api.post("/test/replayed", { config: { scope: "any_token" } }, async (request, reply) => {
    request.replay = replayMessage("first", new Date());
    return respond(context, created(reply, "/test/own"), { data });
  });
}

const startTexts = (config: Partial<GatewayConfig> = {}) =>
  startEdge({}, { routes, config: { CANVASS_TRUSTED_PROXIES: "127.0.0.1", ...config } });

/** Begins to read a response from that address. */
function stall(edge: Edge, path: string, address = "192.0.2.1"): Promise<Socket> {
  const { value } = edge.services.issueToken(["full_access"]);
  const head = [`GET /api/v1${path} HTTP/1.1`, "Host: x", `Authorization: Bearer ${value}`];
  return openUnread(edge, `${[...head, `X-Forwarded-For: ${address}`].join("\r\n")}\r\n\r\n`);
}

const stallMany = (count: number, ...asked: Parameters<typeof stall>) =>
  Promise.all(Array.from({ length: count }, () => stall(...asked)));

const from = (address: string) => ({ headers: { "x-forwarded-for": address } });

test.each(["/test/own", "/test/public"])(
  "unread responses are bounded by workspace, or by client address: %s",
  async (path) => {
    await using edge = await startTexts();
    const stalled = await stallMany(below, edge, path);
    const refused = await edge.call(path, from("192.0.2.1"));
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: "rate_limited", details: { concurrent_unread_bytes: limit } } },
    });
    const shown = ["retry-after", "etag", "cache-control"].map((name) => refused.headers.get(name));
    expect(shown).toEqual(["1", null, "no-store"]);
    expect((await edge.call("/tokens/scopes", from("192.0.2.1"))).status).toBe(200);
    const other = path === "/test/own" ? "/test/public" : "/test/own";
    expect((await edge.call(other, from("192.0.2.1"))).status).toBe(200);
    stalled[0]!.destroy();
    await expect.poll(async () => (await edge.call(path, from("192.0.2.1"))).status).toBe(200);
    for (const socket of stalled) socket.destroy();
  },
);

test("clients at their limits leave half of the process to those that have nothing unread", async () => {
  await using edge = await startTexts();
  const first = await stallMany(below, edge, "/test/public", "192.0.2.1");
  const second = await stallMany(below, edge, "/test/public", "192.0.2.2");
  const third = await stall(edge, "/test/public", "192.0.2.3");
  const refused = await edge.call("/test/public", from("192.0.2.3"));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect((await edge.call("/test/public", from("192.0.2.4"))).status).toBe(200);
  for (const socket of [...first, ...second, third]) socket.destroy();
});

test("who takes nothing, or a byte now and then, loses the connection, and who reads on gets all", async () => {
  await using edge = await startTexts({ CANVASS_READER_IDLE_MS: 2_000 });
  const [stuck, trickling, slow] = await stallMany(3, edge, "/test/own");
  let received = 0;
  const reading = setInterval(() => {
    trickling!.read(1);
    received += (slow!.read(64 * 1024) as Buffer | null)?.length ?? 0;
  }, 5);
  await expect.poll(() => isOver(stuck!) && isOver(trickling!)).toBe(true);
  await expect.poll(() => received).toBeGreaterThan(Buffer.byteLength(text) - 64 * 1024);
  clearInterval(reading);
  expect(isOver(slow!)).toBe(false);
  slow!.destroy();
});

test("a large response has its length, its HEAD too, and arrives whole", async () => {
  await using edge = await startTexts();
  const whole = await edge.call("/test/own");
  expect([whole.status, whole.body.data === text, whole.headers.get("etag")]).toEqual([200, true, '"v1"']);
  const length = String(Buffer.byteLength(whole.text));
  const head = await edge.call("/test/own", { method: "HEAD" });
  expect([whole.headers.get("content-length"), head.headers.get("content-length")]).toEqual([length, length]);
});

test("a replay that is refused has headers of its own, not those of the first response", async () => {
  await using edge = await startTexts();
  const stalled = await stallMany(below, edge, "/test/own");
  const refused = await edge.call("/test/replayed", { method: "POST", ...from("192.0.2.1") });
  const shown = ["x-request-id", "idempotent-replayed", "location"].map((name) => refused.headers.get(name));
  expect([refused.status, ...shown]).toEqual([429, refused.body.meta.requestId, null, null]);
  for (const socket of stalled) socket.destroy();
});
