import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { changedParts } from "./changed-parts.ts";

test("only what differs is kept, however deep it lies", () => {
  const before = {
    name: "A",
    settings: { access: { password: "set", code: 1 }, display: { logo: "x" } },
    tags: [1, 2],
  };
  const after = { name: "A", settings: { access: { password: null, code: 1 } }, tags: [1], note: "new" };
  expect(changedParts(before, after)).toEqual([
    { settings: { access: { password: "set" }, display: { logo: "x" } }, tags: [1, 2] },
    { settings: { access: { password: null } }, tags: [1], note: "new" },
  ]);
});

test("members in another order are no change", () => {
  expect(changedParts({ a: { b: 1, c: { d: 2, e: 3 } } }, { a: { c: { e: 3, d: 2 }, b: 1 } })).toEqual([{}, {}]);
});

test("for any two objects, parts are members of theirs; different objects have some, equal ones none", () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.parse(JSON.stringify(value)) as object);
  fc.assert(
    fc.property(object, object, (before, after) => {
      const [was, is] = changedParts(before, after);
      expect(changedParts(before, structuredClone(before))).toEqual([{}, {}]);
      if (!isDeepStrictEqual(before, after)) {
        expect(Object.keys(was).length + Object.keys(is).length).toBeGreaterThan(0);
      }
      for (const name of Object.keys(is)) expect(Object.hasOwn(after, name)).toBe(true);
      for (const name of Object.keys(was)) expect(Object.hasOwn(before, name)).toBe(true);
    }),
  );
});
