import { expect, test } from "vitest";
import { satisfies } from "./skip-condition.ts";

test.each([
  ["red", "equals", "red", true],
  ["Red", "equals", "rED", true],
  ["red", "equals", "green", false],
  [5, "equals", 5, true],
  [5, "equals", "5", false],
  [true, "equals", true, true],
  [false, "not_equals", true, true],
  [["a", "b"], "equals", ["b", "a"], true],
  [["a", "b"], "equals", ["a"], false],
  [["a"], "equals", "a", true],
  [{ choiceId: "o", otherText: "x" }, "equals", "o", true],
  [["a", "b"], "contains", "b", true],
  [["a", "b"], "contains", ["a", "b"], true],
  [["a", "b"], "contains", ["a", "c"], false],
  [["a", "b"], "contains", [], false],
  [["a", { choiceId: "o", otherText: "x" }], "contains", "o", true],
  [{ choiceId: "o", otherText: "x" }, "contains", "o", true],
  ["a", "contains", "b", false],
  ["Hello World", "contains", "WORLD", true],
  ["Hello", "contains", 5, false],
  [{ row1: "col1", row2: ["col2"] }, "contains", "col2", true],
  [{ row1: { col1: "opt1" } }, "contains", "opt1", true],
  [{ row1: "col1" }, "contains", "row1", false],
  [10, "greater_than", 9, true],
  [10, "greater_than", 10, false],
  [9, "less_than", 10, true],
  [10, "greater_than", "9", false],
  ["2026-02-01", "greater_than", "2026-01-31", true],
  ["2026-02-01", "less_than", "2026-01-31", false],
  [[1], "greater_than", 0, false],
  ["x", "answered", undefined, true],
  ["x", "not_answered", undefined, false],
] as const)("%j %s %j: %s", (answer, operator, target, holds) => {
  expect(satisfies(answer, operator, target)).toBe(holds);
});
