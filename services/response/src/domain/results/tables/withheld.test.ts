import fc from "fast-check";
import { expect, test } from "vitest";
import { withheldGroups } from "./withheld.ts";

test.each([
  [[], []],
  [[0, 5, 20], []],
  [
    [4, 20],
    [0, 1],
  ],
  [
    [4, 20, 5],
    [0, 2],
  ],
  [
    [1, 2, 3, 9],
    [0, 1, 2],
  ],
  [[0, 3], [1]],
])("of groups of %j those at %j are withheld", (groups, withheld) => {
  expect([...withheldGroups(groups)].toSorted((a, b) => a - b)).toEqual(withheld);
});

test("shown cells are never small groups, and neither are the withheld ones together, unless all are withheld", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(12), { maxLength: 12 }), (groups) => {
      const withheld = withheldGroups(groups);
      const shown = groups.filter((count, at) => count > 0 && !withheld.has(at));
      expect(shown.every((count) => count >= 5)).toBe(true);
      const sum = [...withheld].reduce((all, at) => all + groups[at]!, 0);
      expect(sum === 0 || sum >= 5 || shown.length === 0).toBe(true);
    }),
  );
});
