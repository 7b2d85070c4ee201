import { Writable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLogger, type Logger } from "./logger.ts";

let lines: Record<string, unknown>[];
let log: Logger;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  const write = (chunk: Buffer, _: string, done: () => void) => (lines.push(JSON.parse(String(chunk))), done());
  log = createLogger({ service: "test", level: "debug", destination: new Writable({ write }) });
});
afterEach(() => void vi.useRealTimers());

const connectionRefused = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
const repeats = () => lines.map((line) => line["repeats"]);

test("an outage is one line with a stack, then a count for each interval, then nothing", () => {
  for (let call = 0; call < 94; call++)
    log.warn({ err: connectionRefused(), requestId: `r${call}` }, "service_unavailable");
  expect(lines).toEqual([
    expect.objectContaining({ requestId: "r0", err: expect.objectContaining({ stack: expect.any(String) }) }),
  ]);
  vi.advanceTimersByTime(10_000);
  log.child({ requestId: "r" }).warn({ err: connectionRefused() }, "service_unavailable");
  vi.advanceTimersByTime(10_000);
  expect(repeats()).toEqual([undefined, 93, 1]);
  expect(lines[1]).toMatchObject({
    level: "warn",
    msg: "service_unavailable",
    cause: "connect ECONNREFUSED",
    seconds: 10,
  });
  expect(JSON.stringify(lines.slice(1))).not.toContain("stack");
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
  log.warn({ err: connectionRefused() }, "service_unavailable");
  expect(lines[3]).toHaveProperty("err.stack");
});

test("another cause, message or place of the error is another line", () => {
  const defect = () => new TypeError("x is undefined");
  const otherDefect = () => new TypeError("x is undefined");
  log.warn({ err: connectionRefused() }, "one");
  log.warn({ err: connectionRefused() }, "two");
  log.warn({ err: Object.assign(connectionRefused(), { code: "57P01" }) }, "one");
  log.error({ err: defect() }, "an RPC failed unexpectedly");
  log.error({ err: otherDefect() }, "an RPC failed unexpectedly");
  expect(lines).toHaveLength(5);
});

test("lines without an error, of level info or fatal are always written", () => {
  for (let time = 0; time < 3; time++) {
    log.warn({ deliveryId: "d" }, "refused");
    log.info({ err: connectionRefused() }, "told");
    log.fatal({ err: connectionRefused() }, "the end");
    log.error("just words");
  }
  expect(lines).toHaveLength(12);
});

test("many causes at once are all written, and counted only up to a bound", () => {
  const flood = () => {
    for (let cause = 0; cause < 250; cause++) log.error({ err: new Error(`cause ${cause}`) }, "failed");
  };
  flood();
  expect(lines).toHaveLength(250);
  expect(vi.getTimerCount()).toBe(200);
  flood();
  expect(lines).toHaveLength(300);
});
