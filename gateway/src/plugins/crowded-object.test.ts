import fc from "fast-check";
import { expect, test } from "vitest";
import { hasCrowdedObject } from "./crowded-object.ts";

function mostMembersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Math.max(own, ...Object.values(value).map(mostMembersOf));
}

test("for any JSON the largest object decides, whatever its texts hold", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: fc.constantFrom('"', "\\", "[", "{", "}", ":", "é") }), (json) => {
      const most = mostMembersOf(JSON.parse(json));
      expect(hasCrowdedObject(json, most)).toBe(false);
      if (most > 0) expect(hasCrowdedObject(json, most - 1)).toBe(true);
    }),
  );
});

test("what is no JSON does not throw", () => {
  for (const text of ["}}}", ":::", '{"', "{".repeat(1000), '"\\']) {
    expect(() => hasCrowdedObject(text, 2)).not.toThrow();
  }
});
