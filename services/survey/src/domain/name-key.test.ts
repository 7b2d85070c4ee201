import { expect, test } from "vitest";
import { nameKey, namePattern } from "./name-key.ts";

test("case and the spelling of accents do not matter", () => {
  expect(nameKey("ÄRGER")).toBe(nameKey("A\u0308rger"));
});

test("a key fits an index entry for any name", () => {
  for (const character of ["\u{1D160}", "ﷺ", "İ", "𐐀"]) {
    expect(Buffer.byteLength(nameKey(character.repeat(200)))).toBeLessThanOrEqual(1200);
    expect(nameKey(character.repeat(200)).isWellFormed()).toBe(true);
  }
});

test("what LIKE would take for a wildcard stands for itself", () => {
  expect(namePattern("50%_\\")).toBe(String.raw`%50\%\_\\%`);
  expect(namePattern("")).toBeNull();
});
