import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import {
  allScopes,
  builtInRoles,
  createCallerVerifier,
  expandScopes,
  newCaller,
  permittedScopes,
  planForQuestions,
  planForStoredBytes,
  powers,
  signCaller,
} from "./index.ts";

const keys = generateKeyPairSync("ed25519");
const start = new Date("2026-01-01T00:00:00Z");
const caller = newCaller({
  workspaceId: "w",
  permissions: ["surveys:read"],
  expiresAt: timestampFromDate(new Date(start.getTime() + 60_000)),
});

test("a signed caller is read back until it expires", () => {
  let now = start;
  const verify = createCallerVerifier(keys.publicKey, () => now);
  const signed = signCaller(caller, keys.privateKey);
  expect(verify(signed)?.workspaceId).toBe("w");
  now = new Date(start.getTime() + 60_000);
  expect(verify(signed)).toBeUndefined();
});

test("a changed, truncated or foreign-signed caller is refused", () => {
  const verify = createCallerVerifier(keys.publicKey, () => start);
  const signed = signCaller(caller, keys.privateKey);
  const [payload, signature] = signed.split(".") as [string, string];
  const other = signCaller(caller, generateKeyPairSync("ed25519").privateKey);
  for (const forged of ["", ".", payload, `${payload}.`, `A${payload.slice(1)}.${signature}`, `${signed}.x`, other]) {
    expect(verify(forged)).toBeUndefined();
  }
});

test("full access brings every scope but events:write, and writes bring their reads", () => {
  const full = expandScopes(["full_access"]);
  expect(full).toContain("surveys:write");
  expect(full).toContain("events:read");
  expect(full).not.toContain("events:write");
  expect(expandScopes(["events:write"])).toContain("events:read");
});

test("a scope without its role's power permits nothing", () => {
  expect(permittedScopes(["surveys:read", "surveys:write"], ["view_results"])).toEqual(["surveys:read"]);
});

test("tokens and the audit log need the power to manage tokens; one's own tokens are readable for all", () => {
  const others = powers.filter((power) => power !== "manage_tokens");
  const managed = ["tokens:write", "audit:read"];
  expect(permittedScopes(["tokens:read", "tokens:write", "audit:read"], others)).toEqual(["tokens:read"]);
  expect(permittedScopes(["tokens:write", "audit:read"], ["manage_tokens"])).toEqual(managed);
  const mayManage = (role: keyof typeof builtInRoles) => permittedScopes(allScopes, builtInRoles[role]);
  for (const role of ["owner", "admin"] as const) expect(mayManage(role)).toEqual(expect.arrayContaining(managed));
  for (const role of ["editor", "viewer"] as const) {
    for (const scope of managed) expect(mayManage(role)).not.toContain(scope);
  }
});

test("the plan for a number of questions or stored bytes is the weakest that allows it", () => {
  expect(planForQuestions(10)).toBe("free");
  expect(planForQuestions(11)).toBe("starter");
  expect(planForQuestions(1001)).toBeUndefined();
  expect(planForStoredBytes(16 * 1024 * 1024)).toBe("free");
  expect(planForStoredBytes(16 * 1024 * 1024 + 1)).toBe("starter");
  expect(planForStoredBytes(2 ** 40)).toBeUndefined();
});
