import { setTimeout as delay } from "node:timers/promises";
import { Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { LONGEST_HOLD_MS, watchEventLoop } from "./event-loop-holds.ts";

async function counted(registry: Registry, name: string) {
  const { values } = (await registry.getSingleMetric(name)!.get()) as unknown as {
    values: { labels: { le?: number | string }; value: number; metricName: string }[];
  };
  const all = values.find(({ metricName }) => metricName.endsWith("_count"))!.value;
  const within = values.find(({ labels }) => labels.le === LONGEST_HOLD_MS / 1000)!.value;
  return { all, above: all - within };
}

test("work that holds the loop counts as a hold; a process that only waits does not hold it", async () => {
  const registry = new Registry();
  using _loop = watchEventLoop(registry);
  await delay(30);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  await delay(30);
  // A busy machine may add delays, but not holds.
  expect((await counted(registry, "nodejs_eventloop_delay_seconds")).above).toBeGreaterThanOrEqual(1);
  expect(await counted(registry, "nodejs_eventloop_hold_seconds")).toMatchObject({ above: 0 });

  const { user } = process.threadCpuUsage();
  while (process.threadCpuUsage().user - user < 100_000);
  await delay(30);
  expect(await counted(registry, "nodejs_eventloop_hold_seconds")).toMatchObject({ above: 1 });
  const longest = await registry.getSingleMetric("nodejs_eventloop_hold_longest_seconds")!.get();
  expect(longest.values[0]!.value).toBeGreaterThan(0.08);
});

test("an idle process is not woken: no timer is left until a turn has work", async () => {
  using _cpu = vi.spyOn(process, "threadCpuUsage").mockReturnValue({ user: 0, system: 0 });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    using _loop = watchEventLoop(new Registry());
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(10);
    vi.advanceTimersByTime(10);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(10);
    expect(vi.getTimerCount()).toBe(0);

    // Files of a worker share their process: what else wakes meanwhile may set timers of its own.
    const fake = globalThis.setTimeout;
    const pauses: unknown[] = [];
    // No spy: what it puts back outlives the fake timers.
    globalThis.setTimeout = ((run: () => void, ms: number) => (pauses.push(ms), fake(run, ms))) as typeof fake;
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.setTimeout = fake;
    expect(pauses.filter((ms) => ms === 10)).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test("the first work after a rest is measured", async () => {
  const registry = new Registry();
  using _loop = watchEventLoop(registry);
  await delay(300);
  const { user } = process.threadCpuUsage();
  while (process.threadCpuUsage().user - user < 100_000);
  await delay(30);
  expect(await counted(registry, "nodejs_eventloop_hold_seconds")).toMatchObject({ above: 1 });
});
