import { Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { measuredGauge, type Sample } from "./measured-gauge.ts";

const read = async (registry: Registry) =>
  (await registry.metrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));

test("samples replace earlier ones, and a measurement is reused for `everyMs`", async () => {
  const registry = new Registry();
  const answers = [[{ labels: { kind: "a" }, value: 1 }], [{ labels: { kind: "b" }, value: 2 }]];
  const measure = vi.fn<() => Sample[]>(() => answers.shift()!);
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  measuredGauge(registry, { name: "x", help: "x", labelNames: ["kind"], everyMs: 5_000, measure });
  expect(await read(registry)).toEqual(['x{kind="a"} 1']);
  vi.advanceTimersByTime(4_999);
  expect(await read(registry)).toEqual(['x{kind="a"} 1']);
  vi.advanceTimersByTime(1);
  expect(await read(registry)).toEqual(['x{kind="b"} 2']);
  vi.useRealTimers();
});

test("a gauge whose measurement fails keeps its last value", async () => {
  const registry = new Registry();
  const measure = vi.fn<() => Promise<number>>(() => Promise.resolve(3));
  measuredGauge(registry, { name: "x", help: "x", measure });
  expect(await read(registry)).toEqual(["x 3"]);
  measure.mockRejectedValue(new Error("away"));
  expect(await read(registry)).toEqual(["x 3"]);
});

test("a measurement that hangs is not begun twice, and holds up no reader for long", async () => {
  const registry = new Registry();
  const { promise, resolve } = Promise.withResolvers<number>();
  const measure = vi.fn<() => Promise<number>>(() => promise);
  measuredGauge(registry, { name: "x", help: "x", measure });
  measuredGauge(registry, { name: "y", help: "y", measure: () => 1 });
  vi.useFakeTimers();
  const readings = [read(registry), read(registry)];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await Promise.all(readings)).toEqual([
    ["x 0", "y 1"],
    ["x 0", "y 1"],
  ]);
  vi.useRealTimers();
  expect(measure).toHaveBeenCalledOnce();
  resolve(4);
  await promise;
  expect(await read(registry)).toEqual(["x 4", "y 1"]);
});

test.each<[string, () => Promise<number>]>([
  [
    "throws before its first step",
    () => {
      throw new Error("away");
    },
  ],
  ["fails", () => Promise.reject(new Error("away"))],
  ["hangs", () => new Promise(() => undefined)],
])("after a measurement that %s others follow", async (_how, fault) => {
  const registry = new Registry();
  const measure = vi.fn<() => Promise<number>>(() => Promise.resolve(3)).mockImplementationOnce(fault);
  measuredGauge(registry, { name: "x", help: "x", measure });
  vi.useFakeTimers();
  const first = read(registry);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await first).toEqual(["x 0"]);
  vi.useRealTimers();
  expect(await read(registry)).toEqual(["x 3"]);
});
