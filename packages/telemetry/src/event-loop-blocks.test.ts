import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { countBlocks } from "../test/count-blocks.ts";
import { watchEventLoop } from "./event-loop-blocks.ts";

/** In milliseconds: the clock, this thread's CPU time, and the loop's active time. */
let clock = { now: 0, cpu: 0, active: 0 };
beforeEach(() => {
  clock = { now: 0, cpu: 0, active: 0 };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(performance, "now").mockImplementation(() => clock.now);
  vi.spyOn(performance, "eventLoopUtilization").mockImplementation(() => ({ ...clock, idle: 0, utilization: 0 }));
  vi.spyOn(process, "threadCpuUsage").mockImplementation((before) => ({
    user: clock.cpu * 1_000 - (before?.user ?? 0),
    system: 0,
  }));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Takes the next sample `lateMs` late, after `cpuMs` of work. */
function sample(lateMs: number, cpuMs: number): void {
  clock.now += 10 + lateMs;
  clock.cpu += cpuMs;
  vi.advanceTimersByTime(10);
}

test("work that blocks the loop counts as a block; a process that only waits does not block it", async () => {
  const registry = new Registry();
  using _loop = watchEventLoop(registry);
  sample(200, 0);
  expect(await countBlocks(registry, "nodejs_eventloop_delay_seconds")).toEqual({ all: 1, above: 1 });
  expect(await countBlocks(registry, "nodejs_eventloop_hold_seconds")).toEqual({ all: 1, above: 0 });
  sample(100, 90);
  expect(await countBlocks(registry, "nodejs_eventloop_hold_seconds")).toEqual({ all: 2, above: 1 });
  const longest = await registry.getSingleMetric("nodejs_eventloop_hold_longest_seconds")!.get();
  expect(longest.values[0]!.value).toBe(0.09);
});

test("an idle process is not woken: no timer is left until a turn has work", async () => {
  using _loop = watchEventLoop(new Registry());
  expect(vi.getTimerCount()).toBe(1);
  sample(0, 0);
  sample(0, 0);
  expect(vi.getTimerCount()).toBe(1);
  sample(0, 0);
  expect(vi.getTimerCount()).toBe(0);

  // Test files of a worker share a process, so others may set timers meanwhile.
  const fake = globalThis.setTimeout;
  const pauses: unknown[] = [];
  // Not a spy: what a spy restores would outlive the fake timers.
  globalThis.setTimeout = ((run: () => void, ms: number) => (pauses.push(ms), fake(run, ms))) as typeof fake;
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.setTimeout = fake;
  expect(pauses.filter((ms) => ms === 10)).toHaveLength(1);
});

test("the first work after a rest is measured", async () => {
  const registry = new Registry();
  using _loop = watchEventLoop(registry);
  for (const _idle of [1, 2, 3]) sample(0, 0);
  clock.active += 100;
  clock.cpu += 100;
  await new Promise((resolve) => setImmediate(resolve));
  expect(await countBlocks(registry, "nodejs_eventloop_hold_seconds")).toEqual({ all: 4, above: 1 });
});
