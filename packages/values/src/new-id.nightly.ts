import { expect, test } from "vitest";
import { newId } from "./new-id.ts";

test("makes over a million a second", () => {
  const before = process.threadCpuUsage();
  const base = Date.UTC(2026, 4, 4, 10);
  for (let i = 0; i < 300_000; i++) newId(new Date(base + (i >> 9)));
  const perSecond = (300_000 / process.threadCpuUsage(before).user) * 1_000_000;
  // A slow machine may be several times slower; a fall below this is a change of the method.
  expect(perSecond).toBeGreaterThan(250_000);
});
