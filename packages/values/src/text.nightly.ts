import { expect, test } from "vitest";
import { isBlank } from "./text.ts";

test("a body of 350,000 blanks takes less than 50 ms of processor time", () => {
  const blanks = "\u200b".repeat(350_000);
  const before = process.threadCpuUsage();
  expect(isBlank(blanks)).toBe(true);
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(50);
});
