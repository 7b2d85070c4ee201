import { expect, test } from "vitest";
import { refuseFaults } from "./refuse-faults.ts";

test("faults are all named as long as they fit", () => {
  const faults = Array.from({ length: 500 }, (_, index) => ({
    path: `questions.${index}.text`,
    message: "is required",
  }));
  expect(Object.keys(refuseFaults(faults).details)).toHaveLength(500);
});

test("a flood is cut to what a call can carry, and says how many are missing", () => {
  const faults = Array.from({ length: 5000 }, (_, index) => ({
    path: `questions.${index}.\u0001é`,
    message: "ü".repeat(50),
  }));
  const { details } = refuseFaults(faults);
  expect(Buffer.byteLength(JSON.stringify(details))).toBeLessThan(41_000);
  const named = Object.keys(details).length - 1;
  expect(details["…"]).toEqual([`${5000 - named} more faults are left out here`]);
});
