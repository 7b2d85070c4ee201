import { expect, test } from "vitest";
import { escapeFormula, escapeInLine } from "./escape-formula.ts";

test.each([
  ["=1+1", "'=1+1"],
  ["＝1+1", "'＝1+1"],
  ["a;=1+1", "a;'=1+1"],
  [";@SUM(A1);+1;-1", ";'@SUM(A1);'+1;'-1"],
  ['a;"=1+1', "a;\"'=1+1"],
  ["\t=1\t=2", "'\t'=1\t'=2"],
  ["nice ;-) a;b; c = d", "nice ;-) a;b; c = d"],
])("%j is %j in a line", (given, written) => {
  expect(escapeInLine(given)).toBe(written);
});

test("a cell of its own is escaped at its beginning alone, and numbers stay", () => {
  expect(escapeFormula("a;=1")).toBe("a;=1");
  expect(escapeInLine(-1)).toBe(-1);
  expect(escapeInLine(null)).toBe(null);
});
