import { expect, test } from "vitest";
import { parseInstant } from "./timestamps.ts";

test("three texts as long as a body are refused within 200 ms of processor time", () => {
  const texts = ["2".repeat(1e6), `2026-01-31T12:00:00.${"1".repeat(1e6)}`, `2026-01-31T${"1:".repeat(5e5)}Z`];
  const before = process.threadCpuUsage();
  expect(texts.map(parseInstant)).toEqual([null, null, null]);
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(200);
});
