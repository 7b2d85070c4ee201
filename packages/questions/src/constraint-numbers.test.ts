import * as fc from "fast-check";
import { expect, test } from "vitest";
import { numberConstraints, numberOf, withoutNumber } from "./constraint-numbers.ts";
import type { Constraint } from "./definition.ts";

const constraint = (message: string, value: number, number?: number): Constraint => ({
  must: { elementId: "asked", operator: "at_least", value },
  message,
  ...(number !== undefined && { number }),
});
const [a, b, c] = [constraint("A", 1), constraint("B", 2), constraint("C", 3)] as const;

test.each<[what: string, former: Constraint[], given: Constraint[], numbers: number[]]>([
  ["new ones have their positions", [], [a, b], [0, 1]],
  ["one stays when another goes", [a, b, c], [b, c], [1, 2]],
  ["one comes before", [a, b], [c, a, b], [2, 0, 1]],
  ["they change places", [a, b], [b, a], [1, 0]],
  ["a message is reworded", [a, b], [constraint("A?", 1), b], [0, 1]],
  ["a condition changes", [a, b], [b, constraint("A", 7)], [1, 0]],
  ["a message and a condition of different ones", [a, b], [constraint("B", 1)], [1]],
  ["another takes the place of one", [a, b], [a, c], [0, 2]],
  ["equal ones", [a, a], [a, a], [0, 1]],
  ["of equal ones one goes", [a, a, b], [a, b], [0, 2]],
  ["a freed number is used later", [constraint("B", 2, 1)], [b, c], [1, 0]],
  ["a number is given", [a, b], [{ ...a, number: 1 }, c], [1, 2]],
])("%s", (_what, former, given, numbers) => {
  expect(numberConstraints(given, former).map(numberOf)).toEqual(numbers);
});

test("numbers differ, positions are left out, and a list that stays is equal", () => {
  const lists = fc.array(
    fc
      .record({ message: fc.constantFrom("A", "B", "C"), value: fc.nat(2) })
      .map((each) => constraint(each.message, each.value)),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(fc.array(lists, { minLength: 1, maxLength: 4 }), (edits) => {
      let current: Constraint[] = [];
      for (const edit of edits) {
        current = numberConstraints(edit, current);
        expect(new Set(current.map(numberOf)).size).toBe(current.length);
        expect(current.every(({ number }, at) => number !== at)).toBe(true);
        expect(current.map(withoutNumber)).toEqual(edit);
        expect(numberConstraints(edit, current)).toEqual(current);
      }
    }),
  );
});
