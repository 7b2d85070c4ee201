import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeFormula, escapeInLine, unescapeInLine } from "./escape-formula.ts";

test.each([
  ["=1+1", "'=1+1"],
  ["＝1+1", "'＝1+1"],
  ["a;=1+1", "a;'=1+1"],
  [";@SUM(A1);+1;-1", ";'@SUM(A1);'+1;'-1"],
  ['a;"=1+1', "a;\"'=1+1"],
  ["\t=1\t=2", "'\t'=1\t'=2"],
  ["'+49 30 1", "''+49 30 1"],
  ["a;'=1", "a;''=1"],
  ["nice ;-) a;b; c = d", "nice ;-) a;b; c = d"],
])("%j is written to a text file as %j", (given, written) => {
  expect(escapeInLine(given)).toBe(written);
});

test.each([
  ["a blank", " "],
  ["a no-break space", "\u00a0"],
  ["an ideographic space", "\u3000"],
  ["a zero-width space", "\u200b"],
  ["a byte order mark", "\ufeff"],
  ["a soft hyphen", "\u00ad"],
  ["a direction mark", "\u200f"],
  ["a combining mark", "\u0301"],
  ["a variation selector", "\ufe0f"],
  ["a filler", "\u3164"],
  ["an empty Braille pattern", "\u2800"],
  ["a line separator", "\u2028"],
  ["a control", "\u0001"],
  ["several of them", " \u200b\u00a0\ufeff "],
])("a formula behind %s is escaped", (_what, unseen) => {
  for (const sign of "=+-@＝＋－＠﹦﹢﹣﹫") {
    expect(escapeInLine(`${unseen}${sign}1`)).toBe(`'${unseen}${sign}1`);
    expect(escapeInLine(`a;${unseen}${sign}1`)).toBe(`a;${unseen}'${sign}1`);
    expect(escapeInLine(`a;"${unseen}${sign}1`)).toBe(`a;"${unseen}'${sign}1`);
  }
  expect(escapeInLine(`${unseen}a = 1`)).toBe(`${unseen}a = 1`);
});

test("any text is read back as it was, also one that looks escaped", () => {
  const unit = fc.constantFrom("'", "=", "-", "+", ";", "\t", "\n", '"', ")", " ", "\u200b", "\u0301", "a");
  const text = fc.string({ unit, maxLength: 12 });
  const isReadBack = (given: string) => unescapeInLine(escapeInLine(given)) === given;
  expect(fc.check(fc.property(text, isReadBack), { numRuns: 2_000 }).counterexample).toBeNull();
});

test("long runs of invisible characters get no more than one apostrophe", () => {
  const text = "; \u200b".repeat(500_000);
  expect(escapeInLine(text)).toBe(text);
  expect(escapeInLine("\t".repeat(1_000_000))).toHaveLength(1_000_001);
});

test("a separate cell is escaped only at its start, and numbers are unchanged", () => {
  expect(escapeFormula("a;=1")).toBe("a;=1");
  expect(escapeInLine(-1)).toBe(-1);
  expect(escapeInLine(null)).toBe(null);
});
