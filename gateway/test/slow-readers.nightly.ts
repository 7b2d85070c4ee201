import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { isOver, openUnread, scriptRequest, scriptRequests } from "./raw-readers.ts";
import { startEdge } from "./start-edge.ts";

const times = { headersMs: 15_000, requestMs: 30_000, unresponsiveMs: 2_500, lingerMs: 2_000, checkMs: 5_000 };
const edge = await sharedByFile(
  startEdge({}, { connectionTimes: times, config: { CANVASS_RATE_LIMITS: "off", CANVASS_REQUEST_TIMEOUT_MS: 100 } }),
);

test("an answer that many requested and none reads is in memory once", async () => {
  const first = await openUnread(edge, scriptRequest);
  const before = process.memoryUsage.rss();
  const others = await Promise.all(Array.from({ length: 60 }, () => openUnread(edge, scriptRequests)));
  // A copy of the script for each would be 260 MB.
  expect(process.memoryUsage.rss() - before).toBeLessThan(100e6);
  for (const socket of [first, ...others]) socket.destroy();
});

test("a slow reader is not disconnected when one that stopped reading is", async () => {
  const stuck = await openUnread(edge, scriptRequests);
  const slow = await openUnread(edge, scriptRequests);
  let received = 0;
  const reading = setInterval(() => (received += (slow.read() as Buffer | null)?.length ?? 0), 5);
  await expect.poll(() => isOver(stuck)).toBe(true);
  await expect.poll(() => received).toBeGreaterThan(6 * 4e6);
  clearInterval(reading);
  for (const socket of [slow, stuck]) socket.destroy();
});
