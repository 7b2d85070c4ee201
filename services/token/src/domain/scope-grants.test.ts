import { allScopes, builtInRoles, defaultScopes, expandScopes, type Scope } from "@canvass/access";
import fc from "fast-check";
import { expect, test } from "vitest";
import { powersOf } from "./role-powers.ts";
import { defaultGrant, scopesBeyond } from "./scope-grants.ts";

const someScopes = fc.subarray([...allScopes]);
const someRole = fc.constantFrom(...Object.values(builtInRoles).map((powers): readonly string[] => powers));

test("a token grants only its own scopes, except events:write by a full-access webhook manager", () => {
  fc.assert(
    fc.property(someScopes, someScopes, someRole, (held, wanted, powers) => {
      const given = wanted.filter((scope) => !scopesBeyond({ scopes: held, powers }, wanted).includes(scope));
      const holds = new Set<Scope>(expandScopes(held));
      const manager = held.includes("full_access") && powers.includes("manage_webhooks");
      for (const scope of given) expect(holds.has(scope) || (scope === "events:write" && manager)).toBe(true);
      for (const scope of holds) expect(scopesBeyond({ scopes: held, powers }, [scope])).toEqual([]);
    }),
  );
});

test("a token cannot grant more than the token that created it", () => {
  fc.assert(
    fc.property(someScopes, someScopes, someScopes, someRole, (held, first, second, powers) => {
      const child = first.filter((scope) => scopesBeyond({ scopes: held, powers }, [scope]).length === 0);
      const grandchild = second.filter((scope) => scopesBeyond({ scopes: child, powers }, [scope]).length === 0);
      expect(scopesBeyond({ scopes: held, powers }, grandchild)).toEqual([]);
    }),
  );
});

test("full access without the power to manage webhooks does not grant events:write", () => {
  expect(scopesBeyond({ scopes: ["full_access"], powers: builtInRoles.editor }, ["events:write"])).toEqual([
    "events:write",
  ]);
  expect(scopesBeyond({ scopes: ["full_access"], powers: ["manage_webhooks"] }, ["events:write"])).toEqual([]);
});

test("without named scopes a token gets those of the default set that its grantor holds", () => {
  expect(defaultGrant({ scopes: ["full_access"], powers: [] })).toEqual(defaultScopes);
  expect(defaultGrant({ scopes: ["surveys:write", "tokens:write"], powers: [] })).toEqual(["surveys:read"]);
  expect(defaultGrant({ scopes: ["tokens:write"], powers: [] })).toEqual([]);
});

test("a role gives its powers, an unknown one none", () => {
  expect(powersOf("viewer", null)).toEqual(["view_results"]);
  expect(powersOf("custom", ["manage_webhooks"])).toEqual(["manage_webhooks"]);
  expect(powersOf("viewer", ["manage_webhooks"])).toEqual(["view_results"]);
  expect(powersOf("custom", null)).toEqual([]);
  expect(powersOf("constructor", null)).toEqual([]);
});
