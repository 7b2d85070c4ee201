import fc from "fast-check";
import { expect, test } from "vitest";
import { countKeys, findRepeatedKey } from "./body-keys.ts";
import { outlineJson } from "./json-outline.ts";

const unbounded = { nesting: Infinity, members: Infinity, items: Infinity };
const anyJson = fc.json({ stringUnit: fc.constantFrom('"', "\\", "[", "{", "}", ":", ",", "a", "é") });

test("JSON without repeated keys has as many members after parsing as before", () => {
  fc.assert(
    fc.property(anyJson, (json) => {
      expect(outlineJson(json, unbounded)).toEqual({ members: countKeys(JSON.parse(json)) });
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
])("a repeated key changes the number of members, and its path is found: %s", (json, path) => {
  expect(outlineJson(json, unbounded)).not.toEqual({ members: countKeys(JSON.parse(json)) });
  expect(findRepeatedKey(json)).toBe(path);
});
