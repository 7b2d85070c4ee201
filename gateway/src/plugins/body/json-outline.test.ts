import fc from "fast-check";
import { expect, test } from "vitest";
import { outlineJson } from "./json-outline.ts";

const anyJson = fc.json({ stringUnit: fc.constantFrom('"', "\\", "[", "{", "}", ":", ",", "a", "é") });

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** The largest number of members of an object, or items of a list. */
function largestOf(value: unknown, lists: boolean): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) === lists ? Object.keys(value).length : 0;
  return Math.max(own, ...Object.values(value).map((each) => largestOf(each, lists)));
}

test("any JSON is within the bounds of its own objects and lists, and beyond each of them less one", () => {
  fc.assert(
    fc.property(anyJson, (json) => {
      const value: unknown = JSON.parse(json);
      const bounds = { nesting: depthOf(value), members: largestOf(value, false), items: largestOf(value, true) };
      expect(outlineJson(json, bounds)).toHaveProperty("members");
      if (bounds.nesting > 0) {
        expect(outlineJson(json, { ...bounds, nesting: bounds.nesting - 1 })).toEqual({ beyond: "nesting" });
      }
      if (bounds.members > 0) {
        expect(outlineJson(json, { ...bounds, members: bounds.members - 1 })).toEqual({ beyond: "members" });
      }
      if (bounds.items > 1) {
        expect(outlineJson(json, { ...bounds, items: bounds.items - 1 })).toEqual({ beyond: "items" });
      }
    }),
  );
});

test.each(["}}}", ":::", '{"', "{".repeat(1000), '"\\', "]:"])("what is no JSON does not throw: %s", (text) => {
  expect(() => outlineJson(text, { nesting: 64, members: 2, items: 2 })).not.toThrow();
});
