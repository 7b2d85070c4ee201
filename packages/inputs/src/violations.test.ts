import { expect, test } from "vitest";
import { groupViolations } from "./violations.ts";

test("violations of one path are grouped, also for the path `__proto__`", () => {
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
