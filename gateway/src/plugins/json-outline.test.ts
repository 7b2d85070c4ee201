import fc from "fast-check";
import { expect, test } from "vitest";
import { outlineJson } from "./json-outline.ts";

const anyJson = fc.json({ stringUnit: fc.constantFrom('"', "\\", "[", "{", "}", ":", ",", "a", "é") });

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function largestOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Math.max(own, ...Object.values(value).map(largestOf));
}

test("for any JSON the bounds are those of its objects and lists, whatever its texts hold", () => {
  fc.assert(
    fc.property(anyJson, (json) => {
      const bounds = { nesting: depthOf(JSON.parse(json)), members: largestOf(JSON.parse(json)) };
      expect(outlineJson(json, bounds)).toHaveProperty("members");
      if (bounds.nesting > 0) {
        expect(outlineJson(json, { ...bounds, nesting: bounds.nesting - 1 })).toEqual({ beyond: "nesting" });
      }
      if (bounds.members > 0) {
        expect(outlineJson(json, { ...bounds, members: bounds.members - 1 })).toEqual({ beyond: "members" });
      }
    }),
  );
});

test.each(["}}}", ":::", '{"', "{".repeat(1000), '"\\', "]:"])("what is no JSON does not throw: %s", (text) => {
  expect(() => outlineJson(text, { nesting: 64, members: 2 })).not.toThrow();
});
