import fc from "fast-check";
import { expect, test } from "vitest";
import { createConfirmationBuffer } from "./confirmations.ts";

const setsOf = (...names: string[]) => names.map((each) => new Set(each));

test("what all consumers of its type have confirmed is taken at once, the rest when it has lingered", () => {
  let time = 0;
  const collection = createConfirmationBuffer(setsOf("ab"), () => time);
  collection.add("a", ["1", "2"]);
  collection.add("b", ["1"]);
  // A duplicate has no effect.
  collection.add("a", ["2"]);
  expect(collection.take(100)).toEqual([{ consumers: ["a", "b"], eventIds: ["1"] }]);
  time = 99;
  collection.add("b", ["3"]);
  expect(collection.take(100)).toEqual([]);
  time = 100;
  expect(collection.take(100)).toEqual([{ consumers: ["a"], eventIds: ["2"] }]);
  expect(collection.size).toBe(1);
  expect(collection.take(0)).toEqual([{ consumers: ["b"], eventIds: ["3"] }]);
  expect(collection.size).toBe(0);
});

test("an event does not linger for consumers of other types, but while it may be of a type that has more of them", () => {
  const collection = createConfirmationBuffer(setsOf("abc", "c", "d", ""), () => 0);
  for (const consumer of ["a", "b", "c"]) collection.add(consumer, ["of abc"]);
  collection.add("d", ["of d", "another"]);
  collection.add("c", ["of c or abc"]);
  expect(collection.size).toBe(4);
  expect(collection.take(1)).toEqual([
    { consumers: ["a", "b", "c"], eventIds: ["of abc"] },
    { consumers: ["d"], eventIds: ["of d", "another"] },
  ]);
  expect(collection.take(0)).toEqual([{ consumers: ["c"], eventIds: ["of c or abc"] }]);
});

test("for any additions, exactly what was added is taken", () => {
  const step = fc.oneof(
    fc.tuple(fc.constantFrom("a", "b", "c"), fc.array(fc.constantFrom("1", "2", "3", "4", "5"))),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const collection = createConfirmationBuffer(setsOf("abc", "ab", "c"), () => 0);
      const added = new Set<string>();
      const taken = new Set<string>();
      const take = (lingerMs: number) => {
        for (const { consumers, eventIds } of collection.take(lingerMs)) {
          for (const consumer of consumers) for (const eventId of eventIds) taken.add(`${consumer}${eventId}`);
        }
      };
      for (const given of steps) {
        if (!given) take(1);
        else {
          collection.add(...given);
          for (const eventId of given[1]) added.add(`${given[0]}${eventId}`);
        }
      }
      take(0);
      expect(taken).toEqual(added);
    }),
  );
});
