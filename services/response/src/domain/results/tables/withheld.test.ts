import fc from "fast-check";
import { expect, test } from "vitest";
import { isSmallGroup, withheldCategories, withheldGroups } from "./withheld.ts";

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

test.each([
  // A question of several answers: 12 of 13 chose the first.
  [[12, 7], 0, 13, [0, 1]],
  [[12, 7, 6, 5], 0, 13, [0, 3]],
  [[13, 7], 0, 13, []],
  [[20, 20], 3, 43, [0, 2]],
  [[20, 20], 5, 45, []],
  [[3], 0, 3, [0]],
])(
  "of categories that %j chose, and %i none, of %i in all, those at %j are withheld",
  (chosen, none, all, withheld) => {
    expect([...withheldCategories(chosen, none, all)].toSorted((a, b) => a - b)).toEqual(withheld);
  },
);

/** Groups that a reader can find: those who chose a shown category, those who did not, and the rest if none overlap. */
function foundGroups(people: readonly (readonly number[])[], shown: readonly number[]): number[] {
  const chose = (category: number) => people.filter((chosen) => chosen.includes(category)).length;
  const overlap = people.some((chosen) => chosen.length > 1);
  const rest = people.filter((chosen) => !chosen.some((category) => shown.includes(category))).length;
  const found = shown.flatMap((category) => [chose(category), people.length - chose(category)]);
  return overlap || shown.length === 0 ? found : [...found, rest];
}

test("a reader who adds and subtracts shown categories finds no small group, one answer or several", () => {
  const categories = [0, 1, 2, 3, 4];
  const many = fc.array(fc.subarray(categories), { maxLength: 40 });
  const single = fc.array(fc.subarray(categories, { maxLength: 1 }), { maxLength: 40 });
  fc.assert(
    fc.property(fc.oneof(many, single), (people) => {
      const chosen = categories.map((category) => people.filter((some) => some.includes(category)).length);
      const none = people.filter((some) => some.length === 0).length;
      const withheld = withheldCategories(chosen, none, people.length);
      const shown = categories.filter((category) => chosen[category]! > 0 && !withheld.has(category));
      expect(foundGroups(people, shown).some(isSmallGroup)).toBe(false);
    }),
  );
});
