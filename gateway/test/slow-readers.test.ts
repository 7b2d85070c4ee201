import type { Socket } from "node:net";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { getRequest, isOver, open, openUnread, scriptRequests } from "./raw-readers.ts";
import { startEdge } from "./start-edge.ts";

const times = { headersMs: 15_000, requestMs: 30_000, unresponsiveMs: 900, lingerMs: 2_000, checkMs: 5_000 };
const edge = await sharedByFile(
  startEdge({}, { connectionTimes: times, config: { CANVASS_RATE_LIMITS: "off", CANVASS_REQUEST_TIMEOUT_MS: 100 } }),
);

const icon = getRequest("/favicon.svg");

/** Reads all. Returns the number of icons so far. */
function countIcons(socket: Socket): () => number {
  let received = "";
  socket.on("data", (bytes) => (received += String(bytes)));
  return () => received.split("</svg>").length - 1;
}

test("a reader that stops reading is disconnected, an idle connection is not", async () => {
  const idle = open(edge, icon);
  const icons = countIcons(idle);
  await expect.poll(icons).toBe(1);
  const stuck = await Promise.all(Array.from({ length: 10 }, () => openUnread(edge, scriptRequests)));
  await expect.poll(() => stuck.every(isOver)).toBe(true);
  idle.write(icon);
  await expect.poll(icons).toBe(2);
  for (const socket of [idle, ...stuck]) socket.destroy();
});

test("20 requests may be sent ahead, and a connection with 1,000 waiting is cut", async () => {
  const ahead = open(edge, icon.repeat(20));
  await expect.poll(countIcons(ahead)).toBe(20);
  ahead.destroy();
  const piling = await openUnread(edge, scriptRequests + getRequest("/nothing").repeat(1_000));
  await expect.poll(() => isOver(piling)).toBe(true);
  piling.destroy();
});
