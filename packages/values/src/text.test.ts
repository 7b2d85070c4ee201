import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isBlank, isLongerThan } from "./text.ts";

test.each([
  ["nothing", ""],
  ["spaces of any width", " \u00a0\u1680\u2003\u202f\u3000"],
  ["tabs and line ends", "\t\n\v\f\r\u0085\u2028\u2029"],
  ["zero-width characters", "\u200b\u200c\u200d\u2060\ufeff"],
  ["a soft hyphen", "\u00ad"],
  ["marks of direction", "\u200e\u200f\u202a\u202e\u2066\u2069\u061c"],
  ["Hangul fillers", "\u115f\u1160\u3164\uffa0"],
  ["variation selectors", "\ufe0f\u{e0100}"],
  ["tags", "\u{e0001}\u{e0041}"],
  ["annotation marks", "\ufff9\ufffb"],
  ["control characters", "\u0001\u001f\u007f\u009f"],
  ["the empty braille pattern", "\u2800"],
  ["a grapheme joiner", "\u034f"],
])("%s is blank: %j", (_what, text) => {
  expect(isBlank(text)).toBe(true);
});

test.each([
  "a",
  " a ",
  "\u200b.",
  "0",
  "日",
  "😀",
  "👩\u200d🚀",
  "1\ufe0f\u20e3",
  "\u0301",
  "\u0600",
  "\u{110bd}",
  "\ufffd",
  "\ue000",
])("%j is not blank", (text) => {
  expect(isBlank(text)).toBe(false);
});

test("isLongerThan counts code points, not UTF-16 units", () => {
  expect(["😀".repeat(3), "abc", "", "e\u0301e"].map((text) => isLongerThan(text, 3))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(["😀".repeat(4), "abcd", "x".repeat(1e6)].map((text) => isLongerThan(text, 3))).toEqual([true, true, true]);
});

test("a text is blank exactly if it has no visible characters", () => {
  const unseen = fc.string({
    unit: fc.constantFrom(...Array.from(" \t\n\u200b\u200d\u2060\u3164\ufe0f\u2800\u{e0020}")),
  });
  const any = fc.integer({ min: 1, max: 0x10ffff }).map((point) => String.fromCodePoint(point));
  fc.assert(
    fc.property(unseen, any, unseen, (before, character, after) => {
      expect(isBlank(before + after)).toBe(true);
      expect(isBlank(before + character + after)).toBe(isBlank(character));
    }),
    { numRuns: 2_000 },
  );
});

test("what trim() removes is blank; a visible letter, number, punctuation mark or symbol is not", () => {
  const points = Array.from({ length: 0x10ffff }, (_, index) => String.fromCodePoint(index + 1));
  const seen = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;
  expect(points.filter((character) => character.trim() === "" && !isBlank(character))).toEqual([]);
  expect(points.filter((character) => seen.test(character) && isBlank(character))).toEqual([]);
});

test("a full body of blanks is blank", () => {
  expect(isBlank("\u200b".repeat(350_000))).toBe(true);
});
