import { subscribe } from "node:diagnostics_channel";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEdge, type Edge } from "./start-edge.ts";

const times = { headersMs: 15_000, requestMs: 30_000, silentMs: 2_500, lingerMs: 2_000, checkMs: 5_000 };
let edge: Edge;
/** The gateway's sockets by the client's ports, because an unread client socket does not notice its end. */
const ends = new Map<number, Socket>();
beforeAll(async () => {
  edge = await startEdge(
    {},
    { connectionTimes: times, config: { CANVASS_RATE_LIMITS: "off", CANVASS_REQUEST_TIMEOUT_MS: 100 } },
  );
  subscribe("net.server.socket", (message) => {
    const { socket } = message as { socket: Socket };
    ends.set(socket.remotePort!, socket);
  });
});
afterAll(() => edge[Symbol.asyncDispose]());

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const script = get("/docs/js/scalar.js");
// More than the buffers of both ends.
const scripts = script.repeat(6);
const icon = get("/favicon.svg");

function open(text: string): Socket {
  const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(text);
  return socket;
}

/** Resolves when answers begin to arrive; reads only their beginning. */
function unread(text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = open(text);
    socket.once("readable", () => resolve(socket));
  });
}

/** Reads all. Returns the number of icons so far. */
function countIcons(socket: Socket): () => number {
  let received = "";
  socket.on("data", (bytes) => (received += String(bytes)));
  return () => received.split("</svg>").length - 1;
}

const isOver = (socket: Socket) => ends.get(socket.localPort!)!.destroyed;

test("an answer that many requested and none reads is in memory once", async () => {
  const first = await unread(script);
  const before = process.memoryUsage.rss();
  const others = await Promise.all(Array.from({ length: 60 }, () => unread(scripts)));
  // A copy of the script for each would be 260 MB.
  expect(process.memoryUsage.rss() - before).toBeLessThan(100e6);
  for (const socket of [first, ...others]) socket.destroy();
});

test("a reader that stops reading is disconnected; a slow reader and an idle connection are not", async () => {
  const idle = open(icon);
  const icons = countIcons(idle);
  await expect.poll(icons).toBe(1);
  const stuck = await Promise.all(Array.from({ length: 10 }, () => unread(scripts)));
  const slow = await unread(scripts);
  let received = 0;
  const reading = setInterval(() => (received += (slow.read() as Buffer | null)?.length ?? 0), 5);
  await expect.poll(() => stuck.every(isOver), { timeout: 50_000 }).toBe(true);
  await expect.poll(() => received, { timeout: 50_000 }).toBeGreaterThan(6 * 4e6);
  clearInterval(reading);
  idle.write(icon);
  await expect.poll(icons).toBe(2);
  for (const socket of [idle, slow, ...stuck]) socket.destroy();
}, 120_000);

test("requests may be sent ahead, but not without end", async () => {
  const ahead = open(icon.repeat(20));
  await expect.poll(countIcons(ahead)).toBe(20);
  ahead.destroy();
  const piling = await unread(scripts + get("/nothing").repeat(1_000));
  await expect.poll(() => isOver(piling)).toBe(true);
  piling.destroy();
});
