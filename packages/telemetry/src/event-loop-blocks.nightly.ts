import { setTimeout as delay } from "node:timers/promises";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { countBlocks } from "../test/count-blocks.ts";
import { watchEventLoop } from "./event-loop-blocks.ts";

test("work that blocks the loop counts as a block; a process that only waits does not block it", async () => {
  const registry = new Registry();
  using _loop = watchEventLoop(registry);
  await delay(30);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  await delay(30);
  // A busy machine may add delays, but not blocks.
  expect((await countBlocks(registry, "nodejs_eventloop_delay_seconds")).above).toBeGreaterThanOrEqual(1);
  expect(await countBlocks(registry, "nodejs_eventloop_hold_seconds")).toMatchObject({ above: 0 });

  work(100);
  await delay(30);
  expect(await countBlocks(registry, "nodejs_eventloop_hold_seconds")).toMatchObject({ above: 1 });
  const longest = await registry.getSingleMetric("nodejs_eventloop_hold_longest_seconds")!.get();
  expect(longest.values[0]!.value).toBeGreaterThan(0.08);
});

test("the first work after a rest is measured", async () => {
  const registry = new Registry();
  using _loop = watchEventLoop(registry);
  await delay(300);
  work(100);
  await delay(30);
  expect(await countBlocks(registry, "nodejs_eventloop_hold_seconds")).toMatchObject({ above: 1 });
});

function work(cpuMs: number): void {
  const { user } = process.threadCpuUsage();
  while (process.threadCpuUsage().user - user < cpuMs * 1_000);
}
