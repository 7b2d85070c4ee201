import { connect, type Socket } from "node:net";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test, vi } from "vitest";
import { startEdge } from "./start-edge.ts";

const times = { headersMs: 15_000, requestMs: 300_000, unresponsiveMs: 300_000, lingerMs: 600, checkMs: 100 };
const edge = await sharedByFile(startEdge({}, { connectionTimes: times }));

const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

/** A connection and its answers by status. */
function open(): { socket: Socket; statuses: () => string[] } {
  const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  let received = "";
  socket.on("data", (bytes) => (received += String(bytes)));
  return { socket, statuses: () => received.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [] };
}

test.each([
  ["/api/v1/surveys", "401"],
  ["/api/v1/nothing", "404"],
])("the rest of a body that was refused is not read for long: %s", async (path, status) => {
  const { socket, statuses } = open();
  const over = new Promise((resolve) => socket.on("close", resolve));
  socket.write(head(path, 1_000_000));
  const dripping = setInterval(() => socket.write("x"), 20);
  await over;
  clearInterval(dripping);
  expect(statuses()).toEqual([status]);
});

test("a sender that sends the rest soon can keep using the connection", async () => {
  // Polls without a pause, which would pass the time.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { socket, statuses } = open();
  try {
    socket.write(head("/api/v1/surveys", 8));
    await expect.poll(statuses, { interval: 0 }).toEqual(["401"]);
    socket.write("{      }");
    // The rest was read when the request behind it is answered.
    socket.write(`${head("/api/v1/surveys", 2)}{}`);
    await expect.poll(statuses, { interval: 0 }).toEqual(["401", "401"]);
    vi.advanceTimersByTime(2 * times.lingerMs);
    socket.write(`${head("/api/v1/surveys", 2)}{}`);
    await expect.poll(statuses).toEqual(["401", "401", "401"]);
  } finally {
    vi.useRealTimers();
    socket.destroy();
  }
});
