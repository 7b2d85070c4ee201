import fc from "fast-check";
import { expect, test } from "vitest";
import { isNestedDeeperThan } from "./body.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test("for any JSON the depth is that of its objects and lists, whatever its texts hold", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: fc.constantFrom('"', "\\", "[", "{", "}", "a", "é") }), (json) => {
      const depth = depthOf(JSON.parse(json));
      expect(isNestedDeeperThan(depth, json)).toBe(false);
      if (depth > 0) expect(isNestedDeeperThan(depth - 1, json)).toBe(true);
    }),
  );
});
