import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { restBetween } from "./rest-between.ts";

test("a call that follows at once rests as long as the one before took, one after a pause not at all", async () => {
  const times: [number, number][] = [];
  const call = restBetween(async (ms: number) => {
    const began = performance.now();
    await delay(ms);
    times.push([began, performance.now()]);
    return ms;
  });
  expect(await call(40)).toBe(40);
  expect(await call(1)).toBe(1);
  const [first, second] = times;
  expect(second![0] - first![1]).toBeGreaterThanOrEqual(first![1] - first![0] - 2);
});

test("a call that fails rests, too, and fails alone", async () => {
  let fails = true;
  const call = restBetween(async () => {
    if (fails) throw new Error("away");
    return "done";
  });
  await expect(call()).rejects.toThrow("away");
  fails = false;
  expect(await call()).toBe("done");
});
