import { expect, test } from "vitest";
import { surveyNameKey, surveyNamePattern } from "./survey-name-key.ts";

test("case and the spelling of accents do not matter", () => {
  expect(surveyNameKey("ÄRGER")).toBe(surveyNameKey("A\u0308rger"));
});

test("a key fits an index entry for any name", () => {
  for (const character of ["\u{1D160}", "ﷺ", "İ", "𐐀"]) {
    expect(Buffer.byteLength(surveyNameKey(character.repeat(200)))).toBeLessThanOrEqual(1200);
    expect(surveyNameKey(character.repeat(200)).isWellFormed()).toBe(true);
  }
});

test("wildcards of LIKE in a name are escaped, and an empty name has no pattern", () => {
  expect(surveyNamePattern("50%_\\")).toBe(String.raw`%50\%\_\\%`);
  expect(surveyNamePattern("")).toBeNull();
});
