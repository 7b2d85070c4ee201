import { expect, test } from "vitest";
import { groupViolations } from "./violations.ts";

test("faults of one place are kept together, hostile places included", () => {
  const grouped = groupViolations([
    { path: "a.0", message: "one" },
    { path: "__proto__", message: "two" },
    { path: "a.0", message: "three" },
  ]);
  expect(Object.entries(grouped)).toEqual([
    ["a.0", ["one", "three"]],
    ["__proto__", ["two"]],
  ]);
});
