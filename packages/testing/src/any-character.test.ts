import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "./any-character.ts";

test("anyCharacter draws characters but no lone surrogates, and can shrink them", () => {
  fc.assert(
    fc.property(anyCharacter, (character) => {
      expect(String.fromCodePoint(character.codePointAt(0)!)).toBe(character);
      expect(character.isWellFormed()).toBe(true);
      expect(anyCharacter.canShrinkWithoutContext(character)).toBe(true);
    }),
  );
  const isOne = (value: unknown) => anyCharacter.canShrinkWithoutContext(value);
  const edges = ["\0", "\ud7ff", "\ue000", "\u{10ffff}"];
  expect([...edges, "", "ab", "\ud800", 1].filter(isOne)).toEqual(edges);
});
