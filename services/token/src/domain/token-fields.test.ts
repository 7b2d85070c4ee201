import { allScopes, defaultScopes } from "@canvass/access";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  expiryViolations,
  knownScopes,
  refuseTokenViolations,
  scopeViolations,
  tokenNameViolations,
} from "./token-fields.ts";

const now = new Date("2026-03-01T12:00:00Z");

test("a token's name has up to 100 characters, counted as people do", () => {
  expect(tokenNameViolations("😀".repeat(100))).toEqual([]);
  expect(tokenNameViolations("x".repeat(101))).toEqual([{ path: "name", message: "must have at most 100 characters" }]);
});

test("every unknown scope is listed once, and an empty list is a separate violation", () => {
  expect(scopeViolations(["surveys:read", "nope", "constructor", "nope"]).map(({ message }) => message)).toEqual([
    'must not have "nope", which is not a scope',
    'must not have "constructor", which is not a scope',
  ]);
  expect(scopeViolations([])).toEqual([{ path: "scopes", message: "must have at least one scope" }]);
  expect(scopeViolations(["x".repeat(5000)])[0]!.message.length).toBeLessThan(80);
});

test("for any list, exactly the known names are kept, once and in order", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...allScopes), fc.string())), (names) => {
      const kept: string[] = knownScopes(names);
      expect(kept).toEqual([...new Set(names)].filter((name) => (allScopes as string[]).includes(name)));
    }),
  );
});

test("an expiry lies strictly ahead", () => {
  const violations = (timestamp: number) => expiryViolations(new Date(timestamp).toISOString(), now);
  expect(violations(now.getTime())).toEqual([{ path: "expires_at", message: "must lie in the future" }]);
  expect(violations(now.getTime() - 1)).toHaveLength(1);
  expect(violations(now.getTime() + 1)).toEqual([]);
  for (const none of ["tomorrow", "2026-02-30T00:00:00Z", 5, {}]) expect(expiryViolations(none, now)).toHaveLength(1);
});

test("all faults leave as one invalid_request, by field", () => {
  expect(() =>
    refuseTokenViolations([...tokenNameViolations(""), ...scopeViolations(["no"]), ...scopeViolations(["nope"])]),
  ).toThrow(
    expect.objectContaining({
      code: "invalid_request",
      details: {
        name: ["must have a visible character"],
        scopes: ['must not have "no", which is not a scope', 'must not have "nope", which is not a scope'],
      },
    }),
  );
  expect(() => refuseTokenViolations(scopeViolations(defaultScopes))).not.toThrow();
});
