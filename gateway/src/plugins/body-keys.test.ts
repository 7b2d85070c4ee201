import fc from "fast-check";
import { expect, test } from "vitest";
import { countKeys, countMembers, findRepeatedKey } from "./body-keys.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const anyJson = fc.json({ stringUnit: fc.constantFrom('"', "\\", "[", "{", "}", ":", ",", "a", "é") });

test("for any JSON the depth is that of its objects and lists, whatever its texts hold", () => {
  fc.assert(
    fc.property(anyJson, (json) => {
      const depth = depthOf(JSON.parse(json));
      expect(countMembers(json, depth)).toBeTypeOf("number");
      if (depth > 0) expect(countMembers(json, depth - 1)).toBeUndefined();
    }),
  );
});

test("of JSON without repeated keys every member is there when it was read", () => {
  fc.assert(
    fc.property(anyJson, (json) => {
      expect(countMembers(json, 64)).toBe(countKeys(JSON.parse(json)));
      expect(findRepeatedKey(json)).toBeUndefined();
    }),
  );
});

test.each([
  ['{"a":1,"a":1}', "a"],
  ['{"a":1,"b":{"a":1},"\\u0061":2}', "a"],
  ['{"":1, "" : 2}', ""],
  ['[[],{"x":[1,"a\\",{",{"b":1,"c":[],"b":null}]}]', "1.x.2.b"],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ['{"1":0,"1":0}', "1"],
])("a key given twice is missed, and found: %s", (json, path) => {
  expect(countMembers(json, 64)).not.toBe(countKeys(JSON.parse(json)));
  expect(findRepeatedKey(json)).toBe(path);
});

test.each([
  ["many keys", `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":0`).join(",")}}`],
  ["one key many times", `{${Array.from({ length: 150_000 }, () => '"k":0').join(",")}}`],
  ["many objects", `[${Array.from({ length: 60_000 }, (_, n) => `{"a":1,"b${n % 9}":"x"}`).join(",")}]`],
  ["escapes", `["${'\\\\\\"'.repeat(250_000)}"]`],
])("a body of 1 MiB is looked through without holding anybody up: %s", (_, json) => {
  const quickest = (work: () => unknown) => {
    const times = Array.from({ length: 7 }, () => {
      const began = performance.now();
      work();
      return performance.now() - began;
    });
    return Math.min(...times);
  };
  const value: unknown = JSON.parse(json);
  const look = () => countMembers(json, 64) === countKeys(value) || findRepeatedKey(json);
  // Reading 1 MiB takes some ten milliseconds, on a machine that is busy with other programs more.
  expect(quickest(look)).toBeLessThan(3 * quickest(() => JSON.parse(json)));
});
